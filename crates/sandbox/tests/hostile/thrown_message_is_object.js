// expect: thrown
export default async (params, ctx) => {
  const error = new Error('x');
  error.message = { toString() { throw 1; } };
  throw error;
};
