// expect: memory
export default async (params, ctx) => {
  const error = new Error('out of memory');
  error.name = 'InternalError';
  throw error;
};
