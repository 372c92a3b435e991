// expect: timeout
export default async (params, ctx) => {
  const error = new Error('x');
  Object.defineProperty(error, 'stack', { get() { for (;;); } });
  throw error;
};
