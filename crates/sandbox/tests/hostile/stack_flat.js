// expect: thrown
export default async (params, ctx) => {
  let list = [];
  for (let i = 0; i < 100000; i++) list = [list];
  return list.flat(Infinity);
};
