// expect: memory
export default async (params, ctx) => {
  const all = [];
  for (let i = 0; ; i++) all.push(Symbol('s' + i));
};
