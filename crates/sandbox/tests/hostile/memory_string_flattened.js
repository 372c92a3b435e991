// expect: memory
export default async (params, ctx) => {
  const texts = [];
  for (let i = 0; ; i++) texts.push(('x' + i).repeat(1 << 16));
};
