// expect: bad_result
export default async (params, ctx) => {
  const a = {};
  a.b = { a };
  return a;
};
