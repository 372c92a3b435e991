// expect: thrown
export default async (params, ctx) => {
  Array.prototype.toSorted.call({ length: 2 ** 32 - 1 });
};
