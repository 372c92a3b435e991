// expect: thrown
export default async (params, ctx) => {
  return new RegExp('('.repeat(1 << 18) + ')'.repeat(1 << 18)).test('x');
};
