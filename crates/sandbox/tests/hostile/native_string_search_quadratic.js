// expect: timeout
export default async (params, ctx) => {
  const text = 'a'.repeat(1 << 19);
  const wanted = 'a'.repeat(1 << 18) + 'b';
  for (;;) text.indexOf(wanted);
};
