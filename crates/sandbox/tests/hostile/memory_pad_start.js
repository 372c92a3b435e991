// expect: memory
export default async (params, ctx) => {
  return 'x'.padStart(2 ** 29, 'yz').length;
};
