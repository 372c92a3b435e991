// expect: timeout
export default async (params, ctx) => {
  Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 1, 0);
};
