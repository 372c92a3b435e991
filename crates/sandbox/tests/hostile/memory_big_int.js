// expect: memory
export default async (params, ctx) => {
  const all = [];
  for (let i = 0; ; i++) all.push((1n << 800000n) + BigInt(i));
};
