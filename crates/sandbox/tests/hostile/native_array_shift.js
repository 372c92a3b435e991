// expect: timeout
export default async (params, ctx) => {
  Array.prototype.shift.call({ length: 2 ** 53 - 1 });
};
