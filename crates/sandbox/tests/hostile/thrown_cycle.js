// expect: thrown
export default async (params, ctx) => {
  const a = {};
  a.a = a;
  throw a;
};
