// expect: thrown
export default async (params, ctx) => {
  const buffer = new ArrayBuffer(1, { maxByteLength: 2 ** 31 });
  buffer.resize(2 ** 31 - 1);
  return buffer.byteLength;
};
