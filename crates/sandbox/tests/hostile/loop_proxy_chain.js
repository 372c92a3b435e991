// expect: timeout
export default async (params, ctx) => {
  let proxy = {};
  for (let i = 0; i < 200; i++) proxy = new Proxy(proxy, {});
  for (;;) proxy.x;
};
