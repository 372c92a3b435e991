// expect: timeout
export default async (params, ctx) => {
  const sparse = [];
  sparse.length = 2 ** 32 - 1;
  sparse.sort();
};
