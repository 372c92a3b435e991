// expect: thrown
export default async (params, ctx) => {
  throw 'x'.repeat(1 << 21);
};
