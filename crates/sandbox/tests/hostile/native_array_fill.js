// expect: memory
export default async (params, ctx) => {
  Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1);
};
