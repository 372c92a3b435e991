// expect: timeout
export default async (params, ctx) => {
  const text = '%41'.repeat(1 << 16);
  for (;;) decodeURIComponent(text);
};
