// expect: timeout
export default async (params, ctx) => {
  return /^(a*)*\1b$/.test('a'.repeat(40));
};
