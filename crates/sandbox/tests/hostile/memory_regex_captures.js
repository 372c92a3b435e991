// expect: memory
export default async (params, ctx) => {
  const all = [];
  for (;;) all.push(/(a)(b)(c)(d)/.exec('abcd'));
};
