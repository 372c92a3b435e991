// expect: timeout
export default async (params, ctx) => {
  const number = (1n << 1000000n) - 1n;
  for (;;) number.toString(7);
};
