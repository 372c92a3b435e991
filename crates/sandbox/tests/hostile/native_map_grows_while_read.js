// expect: timeout
export default async (params, ctx) => {
  const map = new Map([[0, 0]]);
  for (const [key] of map) { map.delete(key); map.set(key + 1, 0); }
};
