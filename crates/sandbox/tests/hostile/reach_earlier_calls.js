// expect: ok
export default async (params, ctx) => {
  const seen = globalThis.left;
  globalThis.left = params;
  return seen === undefined ? 'contained' : seen;
};
