// expect: timeout
export default async (params, ctx) => {
  return /(x+x+)+y/.test('x'.repeat(60));
};
