// expect: timeout
export default async (params, ctx) => {
  let text = 'ab'.repeat(1 << 17);
  for (;;) text.replaceAll('ab', 'ba');
};
