// expect: timeout
export default async (params, ctx) => {
  return /^(?=(a+)+$)b/.test('a'.repeat(40) + '!');
};
