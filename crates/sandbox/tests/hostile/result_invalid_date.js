// expect: ok null
export default async (params, ctx) => {
  return new Date(NaN);
};
