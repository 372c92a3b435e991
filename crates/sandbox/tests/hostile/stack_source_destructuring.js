// expect: thrown
export default async (params, ctx) => {
  new Function('var ' + '['.repeat(1 << 17) + 'a' + ']'.repeat(1 << 17) + ' = 1');
};
