// expect: thrown
export default async (params, ctx) => {
  const proxy = new Proxy({}, { get: (target, name, self) => self[name] });
  return proxy.x;
};
