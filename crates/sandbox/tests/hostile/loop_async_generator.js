// expect: timeout
export default async (params, ctx) => {
  async function* ticks() { for (;;) yield 1; }
  for await (const tick of ticks());
};
