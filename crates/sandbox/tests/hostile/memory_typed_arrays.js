// expect: memory
export default async (params, ctx) => {
  const all = [];
  for (;;) all.push(new Uint8Array(1 << 20).fill(1));
};
