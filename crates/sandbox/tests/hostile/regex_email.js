// expect: timeout
export default async (params, ctx) => {
  return /^([a-z0-9]+[._-]?)+@x$/.test('a'.repeat(50));
};
