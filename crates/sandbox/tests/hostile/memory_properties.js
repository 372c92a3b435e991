// expect: memory
export default async (params, ctx) => {
  const object = {};
  for (let i = 0; ; i++) object['p' + i] = i;
};
