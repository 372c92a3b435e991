// expect: never_settled
export default async (params, ctx) => {
  Object.prototype.then = () => {};
  return { a: 1 };
};
