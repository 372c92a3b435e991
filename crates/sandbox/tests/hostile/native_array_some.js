// expect: timeout
export default async (params, ctx) => {
  Array.prototype.some.call({ length: 2 ** 53 - 1 }, () => false);
};
