// expect: timeout
export default async (params, ctx) => {
  return { then() { for (;;); } };
};
