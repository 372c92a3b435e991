// expect: timeout
export default async (params, ctx) => {
  return /^(([a-z])+.)+[A-Z]([a-z])+$/i.test('a'.repeat(50) + '1');
};
