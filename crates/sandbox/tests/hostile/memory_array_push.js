// expect: memory
export default async (params, ctx) => {
  const list = [];
  for (;;) list.push({});
};
