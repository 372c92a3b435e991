// expect: ok
export default async (params, ctx) => {
  Object.defineProperty(Error, Symbol.hasInstance, { value: () => { throw new Error('mine now'); } });
  ctx.log({ a: 1 });
  return 'contained';
};
