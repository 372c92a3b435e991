// expect: timeout
export default async (params, ctx) => {
  const text = 'a'.repeat(1 << 16);
  for (;;) text.replace(/(?:)/g, '-');
};
