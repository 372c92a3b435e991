// expect: thrown
export default async (params, ctx) => {
  for (let i = 0; i < 100; i++) await ctx.fetch('https://a.test');
};
