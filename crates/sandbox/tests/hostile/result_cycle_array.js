// expect: bad_result
export default async (params, ctx) => {
  const a = [];
  a.push([a]);
  return a;
};
