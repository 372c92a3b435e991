// expect: ok
export default async (params, ctx) => {
  Object.defineProperty(Array.prototype, '0', { set() { throw new Error('mine now'); }, configurable: true });
  ctx.log('a');
  await ctx.fetch('https://a.test', { headers: { a: 'b' } });
  return 'contained';
};
