// expect: ok
export default async (params, ctx) => {
  ctx.log('\u0000\u001b[2J\r\n');
  return 'contained';
};
