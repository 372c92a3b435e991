// expect: thrown
export default async (params, ctx) => {
  return (0, eval)('import("/proc/self/environ")').then((found) => found.default);
};
