// expect: ok
export default async (params, ctx) => {
  const known = ['scriptArgs', 'print', 'console', 'std', 'os', 'bjson', 'Worker', 'WebAssembly', 'XMLHttpRequest', 'WebSocket', 'fetch', 'setTimeout', 'navigator', 'native', 'load', 'gc'];
  const found = known.filter((name) => name in globalThis);
  return found.length === 0 ? 'contained' : found;
};
