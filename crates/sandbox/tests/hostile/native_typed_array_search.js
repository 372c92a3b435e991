// expect: timeout
export default async (params, ctx) => {
  const bytes = new Uint8Array(8 << 20);
  for (;;) bytes.indexOf(1);
};
