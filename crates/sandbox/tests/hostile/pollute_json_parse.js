// expect: ok
export default async (params, ctx) => {
  JSON.parse = () => 'mine now';
  const response = await ctx.fetch('https://a.test');
  return (await response.json()).method === 'GET' ? 'contained' : 'changed';
};
