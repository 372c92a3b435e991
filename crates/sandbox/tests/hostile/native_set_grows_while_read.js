// expect: memory
export default async (params, ctx) => {
  const set = new Set([0]);
  set.forEach((value) => set.add(value + 1));
};
