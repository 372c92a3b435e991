// expect: ok
export default async (params, ctx) => {
  const outside = ctx.log.constructor('return typeof native + typeof process')();
  return outside === 'undefinedundefined' ? 'contained' : outside;
};
