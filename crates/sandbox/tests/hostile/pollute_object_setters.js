// expect: ok
const trap = () => { throw new Error('mine now'); };
for (const name of ['message', 'stack', 'output', 'log', 'fetch', 'secrets', 'status', 'ok']) {
  Object.defineProperty(Object.prototype, name, { __proto__: null, get: trap, set: trap, configurable: true });
}
export default async (params, ctx) => {
  ctx.log('a');
  const response = await ctx.fetch('https://a.test');
  return response.ok ? 'contained' : 'changed';
};
