// expect: ok
export default async (params, ctx) => {
  await ctx.fetch();
  return 'contained';
};
