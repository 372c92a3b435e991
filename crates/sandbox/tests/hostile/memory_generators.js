// expect: memory
export default async (params, ctx) => {
  function* one() { yield new Array(100).fill(0); }
  const all = [];
  for (;;) { const generator = one(); generator.next(); all.push(generator); }
};
