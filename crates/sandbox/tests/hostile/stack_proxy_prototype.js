// expect: thrown
export default async (params, ctx) => {
  const proxy = new Proxy({}, {});
  Object.setPrototypeOf(proxy, Object.create(proxy));
  return proxy.x;
};
