// expect: timeout
export default async (params, ctx) => {
  const numbers = new Set(Array.from({ length: 1 << 14 }, (_, i) => i));
  for (;;) numbers.union(numbers);
};
