// expect: ok
export default async (params, ctx) => {
  let reads = 0;
  const value = { toJSON: () => (reads++ === 0 ? 'contained' : 'again') };
  return value;
};
