// expect: timeout
export default async (params, ctx) => {
  return { get value() { for (;;); } };
};
