// expect: memory
export default async (params, ctx) => {
  let proxy = {};
  for (;;) proxy = new Proxy(proxy, {});
};
