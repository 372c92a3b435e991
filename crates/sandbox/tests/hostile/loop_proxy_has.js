// expect: timeout
export default async (params, ctx) => {
  return 'x' in new Proxy({}, { has() { for (;;); } });
};
