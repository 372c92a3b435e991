// expect: ok
export default async (params, ctx) => {
  String.prototype.slice = String.prototype.toWellFormed = String.prototype.toLowerCase = () => { throw new Error('mine now'); };
  ctx.log('a');
  return 'contained';
};
