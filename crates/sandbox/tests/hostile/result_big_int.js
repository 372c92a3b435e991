// expect: bad_result
export default async (params, ctx) => {
  return { n: 1n };
};
