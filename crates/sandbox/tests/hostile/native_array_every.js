// expect: timeout
export default async (params, ctx) => {
  Array.prototype.every.call({ length: 2 ** 53 - 1 }, () => true);
};
