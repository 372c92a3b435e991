// expect: timeout
export default async (params, ctx) => {
  return /^(a|aa)+$/.test('a'.repeat(60) + '!');
};
