// expect: memory
export default async (params, ctx) => {
  return new ArrayBuffer(2 ** 30).byteLength;
};
