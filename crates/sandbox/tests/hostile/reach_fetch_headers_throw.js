// expect: thrown
export default async (params, ctx) => {
  await ctx.fetch('https://a.test', { headers: { get a() { throw new Error('no'); } } });
};
