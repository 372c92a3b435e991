// expect: ok
export default async (params, ctx) => {
  const half = '😀'.slice(0, 1);
  ctx.log(half);
  return half.isWellFormed() ? half : 'contained';
};
