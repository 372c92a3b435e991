// expect: thrown
export default async (params, ctx) => {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(shared, 0, 0);
};
