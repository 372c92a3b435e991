// expect: thrown
export default async (params, ctx) => {
  const headers = {};
  for (let i = 0; i < 50000; i++) headers['name-' + i] = 'value of some length ' + i;
  await ctx.fetch('https://a.test', { headers });
};
