// expect: timeout
export default async (params, ctx) => {
  const names = new Proxy({}, { ownKeys: () => { for (;;); } });
  for (const name in names);
};
