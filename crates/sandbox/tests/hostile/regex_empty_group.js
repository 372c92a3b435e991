// expect: timeout
export default async (params, ctx) => {
  return /^(|a+)*$/.test('a'.repeat(40) + '!');
};
