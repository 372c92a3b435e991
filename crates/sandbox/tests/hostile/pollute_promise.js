// expect: ok
export default async (params, ctx) => {
  globalThis.Promise = class { constructor() { throw new Error('mine now'); } };
  const response = await ctx.fetch('https://a.test');
  return response.ok ? 'contained' : 'changed';
};
