// expect: ok
export default async (params, ctx) => {
  return typeof process === 'undefined' && typeof Deno === 'undefined' && typeof Bun === 'undefined' ? 'contained' : 'found';
};
