// expect: bad_result
export default async (params, ctx) => {
  return { get a() { throw new Error('not for you'); } };
};
