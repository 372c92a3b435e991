// expect: ok
export default async (params, ctx) => {
  Object.prototype.get = () => 'mine now';
  const refused = await ctx.fetch('https://refused').catch((error) => error.message);
  return refused.includes('host') ? 'contained' : refused;
};
