// expect: timeout
export default async (params, ctx) => {
  Array.prototype.forEach.call({ length: 2 ** 53 - 1 }, () => {});
};
