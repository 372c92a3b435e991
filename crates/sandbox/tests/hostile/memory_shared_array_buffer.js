// expect: memory
export default async (params, ctx) => {
  return new SharedArrayBuffer(2 ** 30).byteLength;
};
