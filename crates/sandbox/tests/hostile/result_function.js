// expect: bad_result
export default async (params, ctx) => {
  return () => 1;
};
