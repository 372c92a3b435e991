// expect: ok null
export default async (params, ctx) => {
  await ctx.fetch(Symbol('x'));
};
