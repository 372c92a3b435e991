// expect: timeout
export default async (params, ctx) => {
  return /^(\w+\s?)*$/.test('word '.repeat(20) + '!');
};
