// expect: timeout
export default async (params, ctx) => {
  await ctx.fetch('https://a.test', { headers: new Proxy({}, { ownKeys() { for (;;); } }) });
};
