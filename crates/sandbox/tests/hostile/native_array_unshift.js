// expect: timeout
export default async (params, ctx) => {
  Array.prototype.unshift.call({ length: 2 ** 53 - 2 }, 1);
};
