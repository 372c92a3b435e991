// expect: bad_result
export default async (params, ctx) => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return { proxy };
};
