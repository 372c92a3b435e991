// expect: timeout
export default async (params, ctx) => {
  Array.prototype.splice.call({ length: 2 ** 53 - 2 }, 0, 0, 1);
};
