// expect: thrown
export default async (params, ctx) => {
  return await import('file:///etc/passwd');
};
