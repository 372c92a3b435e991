// expect: timeout
export default async (params, ctx) => {
  return 1 instanceof { [Symbol.hasInstance]() { for (;;); } };
};
