// expect: thrown
export default async (params, ctx) => {
  throw new Error('x'.repeat(1 << 21));
};
