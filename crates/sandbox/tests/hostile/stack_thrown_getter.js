// expect: thrown
export default async (params, ctx) => {
  throw { get message() { return this.message; } };
};
