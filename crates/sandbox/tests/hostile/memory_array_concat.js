// expect: memory
export default async (params, ctx) => {
  let list = [1, 2, 3];
  for (;;) list = list.concat(list);
};
