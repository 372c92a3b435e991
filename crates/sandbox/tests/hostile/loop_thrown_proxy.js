// expect: timeout
export default async (params, ctx) => {
  throw new Proxy({}, { get() { for (;;); } });
};
