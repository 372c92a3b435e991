// expect: timeout
export default async (params, ctx) => {
  Array.prototype.flat.call({ length: 2 ** 53 - 1 });
};
