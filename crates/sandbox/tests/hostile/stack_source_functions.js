// expect: thrown
export default async (params, ctx) => {
  return new Function('return ' + '() => '.repeat(1 << 18) + '1')();
};
