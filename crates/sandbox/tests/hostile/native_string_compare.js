// expect: timeout
export default async (params, ctx) => {
  const [a, b] = ['a'.repeat(1 << 20), 'a'.repeat(1 << 20) + 'b'];
  for (;;) a.localeCompare(b);
};
