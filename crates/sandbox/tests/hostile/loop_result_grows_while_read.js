// expect: memory
export default async (params, ctx) => {
  const list = [1];
  list.push({ toJSON() { list.push(this); return list.concat(); } });
  return list;
};
