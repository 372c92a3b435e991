// expect: timeout
export default async (params, ctx) => {
  Array.prototype.sort.call({ length: 2 ** 53 - 1 });
};
