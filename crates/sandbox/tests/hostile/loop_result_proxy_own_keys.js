// expect: timeout
export default async (params, ctx) => {
  return { inner: new Proxy({}, { ownKeys() { for (;;); } }) };
};
