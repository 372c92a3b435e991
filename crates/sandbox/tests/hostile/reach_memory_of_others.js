// expect: ok
export default async (params, ctx) => {
  const bytes = new Uint8Array(4 << 20);
  return bytes.every((byte) => byte === 0) ? 'contained' : 'found';
};
