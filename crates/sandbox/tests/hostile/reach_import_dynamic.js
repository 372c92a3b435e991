// expect: thrown
export default async (params, ctx) => {
  return await import('os');
};
