// expect: timeout
export default async (params, ctx) => {
  Array.prototype.reduce.call({ length: 2 ** 53 - 1 }, (a) => a, 0);
};
