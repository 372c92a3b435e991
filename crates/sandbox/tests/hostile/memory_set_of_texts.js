// expect: memory
export default async (params, ctx) => {
  const set = new Set();
  for (let i = 0; ; i++) set.add('text ' + i);
};
