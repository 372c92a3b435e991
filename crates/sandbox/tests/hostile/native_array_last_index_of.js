// expect: timeout
export default async (params, ctx) => {
  Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);
};
