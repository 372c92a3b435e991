// expect: timeout
export default async (params, ctx) => {
  await ctx.fetch('https://a.test');
  for (;;);
};
