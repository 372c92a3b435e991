// expect: timeout
export default async (params, ctx) => {
  const [a, b] = [(1n << 900000n) - 1n, (1n << 450000n) - 3n];
  for (;;) a / b;
};
