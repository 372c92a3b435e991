// expect: memory
export default async (params, ctx) => {
  const map = new Map();
  for (let i = 0; ; i++) map.set(i, [i]);
};
