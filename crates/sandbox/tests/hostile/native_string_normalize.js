// expect: timeout
export default async (params, ctx) => {
  const text = '\u0344'.repeat(1 << 16);
  for (;;) text.normalize('NFKD');
};
