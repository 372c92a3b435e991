// expect: timeout
export default async (params, ctx) => {
  const numbers = new Float64Array(1 << 16).map(() => Math.random());
  for (;;) numbers.sort((a, b) => b - a);
};
