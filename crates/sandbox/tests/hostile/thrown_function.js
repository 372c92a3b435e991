// expect: thrown
export default async (params, ctx) => {
  throw () => { throw 1; };
};
