// expect: output
export default async (params, ctx) => {
  return 'x'.repeat(1 << 20);
};
