// expect: timeout
export default async (params, ctx) => {
  return { inner: new Proxy({ a: 1 }, { get() { for (;;); } }) };
};
