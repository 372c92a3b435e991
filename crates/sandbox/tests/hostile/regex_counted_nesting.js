// expect: timeout
export default async (params, ctx) => {
  return new RegExp('^((a{1,9}){1,9}){1,9}$').test('a'.repeat(800) + '!');
};
