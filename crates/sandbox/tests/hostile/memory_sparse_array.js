// expect: ok
export default async (params, ctx) => {
  const sparse = [];
  sparse[2 ** 32 - 2] = 1;
  return sparse.length === 2 ** 32 - 1 ? "contained" : sparse.length;
};
