// expect: ok
export default async (params, ctx) => {
  ctx.log('x'.repeat(1 << 22));
  return 'contained';
};
