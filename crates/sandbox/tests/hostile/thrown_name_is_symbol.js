// expect: thrown
export default async (params, ctx) => {
  const error = new Error('x');
  error.name = Symbol('n');
  throw error;
};
