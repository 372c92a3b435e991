// expect: timeout
export default async (params, ctx) => {
  Array.prototype.reverse.call({ length: 2 ** 53 - 1 });
};
