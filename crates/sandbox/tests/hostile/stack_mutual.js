// expect: thrown
export default async (params, ctx) => {
  const [a, b] = [() => b() + 1, () => a() + 1];
  return a();
};
