// expect: memory
export default async (params, ctx) => {
  const list = [];
  list.length = 2 ** 32 - 1;
  return list;
};
