// expect: timeout
export default async (params, ctx) => {
  const text = ' '.repeat(200000);
  for (;;) /\s+$/.test(text + 'x');
};
