// expect: timeout
export default async (params, ctx) => {
  Array.prototype.findIndex.call({ length: 2 ** 53 - 1 }, () => false);
};
