// expect: timeout
export default async (params, ctx) => {
  Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);
};
