// expect: memory
export default async (params, ctx) => {
  const [keys, map] = [[], new WeakMap()];
  for (;;) { const key = {}; keys.push(key); map.set(key, [1]); }
};
