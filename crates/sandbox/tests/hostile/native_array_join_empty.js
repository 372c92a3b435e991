// expect: timeout
export default async (params, ctx) => {
  Array.prototype.join.call({ length: 2 ** 32 - 1 }, '');
};
