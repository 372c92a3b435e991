// expect: ok
export default async (params, ctx) => {
  Object.defineProperty(Array, Symbol.species, { get() { throw new Error('mine now'); } });
  return [1].length === 1 ? 'contained' : 'changed';
};
