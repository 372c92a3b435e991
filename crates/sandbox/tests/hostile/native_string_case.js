// expect: timeout
export default async (params, ctx) => {
  const text = 'İ'.repeat(1 << 18);
  for (;;) text.toLowerCase();
};
