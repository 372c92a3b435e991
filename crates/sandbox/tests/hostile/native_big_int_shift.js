// expect: thrown
export default async (params, ctx) => {
  return 1n << (1n << 62n);
};
