// expect: thrown
export default async (params, ctx) => {
  await ctx.fetch('https://a.test', { body: { a: 1 } });
};
