// expect: timeout
export default async (params, ctx) => {
  const text = 'a'.repeat(1 << 19);
  const wanted = 'b' + 'a'.repeat(1 << 18);
  for (;;) text.lastIndexOf(wanted);
};
