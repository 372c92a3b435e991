// expect: thrown
export default async (params, ctx) => {
  return JSON.parse('['.repeat(1 << 20));
};
