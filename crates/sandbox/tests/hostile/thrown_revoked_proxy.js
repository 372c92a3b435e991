// expect: thrown
export default async (params, ctx) => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  throw proxy;
};
