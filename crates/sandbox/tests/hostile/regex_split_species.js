// expect: timeout
export default async (params, ctx) => {
  class Slow extends RegExp { exec(text) { for (;;); } }
  'ab'.split(new Slow('a'));
};
