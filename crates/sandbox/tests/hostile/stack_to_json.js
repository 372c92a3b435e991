// expect: bad_result
export default async (params, ctx) => {
  const object = { toJSON() { return JSON.stringify(this); } };
  return object;
};
