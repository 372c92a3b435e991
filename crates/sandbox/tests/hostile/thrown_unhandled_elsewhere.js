// expect: ok
export default async (params, ctx) => {
  Promise.reject(new Error('nobody listens'));
  return 'contained';
};
