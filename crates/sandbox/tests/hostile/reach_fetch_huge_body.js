// expect: thrown
export default async (params, ctx) => {
  await ctx.fetch('https://a.test', { method: 'POST', body: 'x'.repeat(2 << 20) });
};
