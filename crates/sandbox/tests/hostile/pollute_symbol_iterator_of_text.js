// expect: ok
export default async (params, ctx) => {
  String.prototype[Symbol.iterator] = () => { throw new Error('mine now'); };
  ctx.log('abc');
  return 'contained';
};
