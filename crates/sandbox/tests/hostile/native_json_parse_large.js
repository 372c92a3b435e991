// expect: timeout
export default async (params, ctx) => {
  const text = '[' + '1,'.repeat(1 << 18) + '1]';
  for (;;) JSON.parse(text);
};
