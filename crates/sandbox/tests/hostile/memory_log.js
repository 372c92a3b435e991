// expect: ok
export default async (params, ctx) => {
  for (let i = 0; i < 1000; i++) ctx.log('x'.repeat(1 << 16));
  return 'contained';
};
