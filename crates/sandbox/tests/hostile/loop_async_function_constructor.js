// expect: timeout
export default async (params, ctx) => {
  const AsyncFunction = (async () => {}).constructor;
  await new AsyncFunction('for (;;) await null;')();
};
