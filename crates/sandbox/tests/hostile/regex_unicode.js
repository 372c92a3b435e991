// expect: timeout
export default async (params, ctx) => {
  return /^(\p{L}+)+$/u.test('é'.repeat(40) + '!');
};
