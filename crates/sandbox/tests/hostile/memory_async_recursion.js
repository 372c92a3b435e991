// expect: memory
export default async (params, ctx) => {
  const again = async () => { await null; await again(); };
  await again();
};
