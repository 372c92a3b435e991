// expect: bad_result
export default async (params, ctx) => {
  const make = () => ({ get a() { return make(); } });
  return make();
};
