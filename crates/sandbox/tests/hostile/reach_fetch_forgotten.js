// expect: ok
export default async (params, ctx) => {
  ctx.fetch('https://silent.test');
  return 'contained';
};
