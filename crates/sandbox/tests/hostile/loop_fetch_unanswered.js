// expect: timeout
export default async (params, ctx) => {
  await ctx.fetch('https://silent.test');
};
