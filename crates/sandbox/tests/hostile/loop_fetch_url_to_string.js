// expect: timeout
export default async (params, ctx) => {
  await ctx.fetch({ toString() { for (;;); } });
};
