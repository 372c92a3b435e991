// expect: ok
export default async (params, ctx) => {
  const outer = new Function('return this')();
  return outer === globalThis && !('native' in outer) ? 'contained' : 'found';
};
