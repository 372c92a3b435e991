// expect: ok
export default async (params, ctx) => {
  Array.prototype[Symbol.iterator] = function* () { yield 'mine now'; };
  ctx.log('a', 'b');
  return 'contained';
};
