// expect: thrown
export default async (params, ctx) => {
  const object = { get again() { return this.again + 1; } };
  return object.again;
};
