// expect: ok
export default async (params, ctx) => {
  const response = await ctx.fetch('https://a.test/\ud800', { body: '\udfff', headers: { '\ud800': '\ud800' } });
  return response.ok ? 'contained' : 'refused';
};
