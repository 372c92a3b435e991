// expect: memory
export default async (params, ctx) => {
  return 'x'.repeat(2 ** 29).length;
};
