// expect: timeout
export default async (params, ctx) => {
  return { get then() { for (;;); } };
};
