// expect: memory
export default async (params, ctx) => {
  const all = [];
  for (;;) all.push('a'.repeat(10000).split(''));
};
