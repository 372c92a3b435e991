// expect: thrown
export default async (params, ctx) => {
  return (0, eval)('!'.repeat(1 << 19) + '1');
};
