// expect: ok
export default async (params, ctx) => {
  await import('tool.js');
  return 'contained';
};
