// expect: thrown
export default async (params, ctx) => {
  return (0, eval)('['.repeat(1 << 18) + ']'.repeat(1 << 18));
};
