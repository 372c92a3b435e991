// expect: timeout
export default async (params, ctx) => {
  return { toJSON() { for (;;); } };
};
