// expect: memory
export default async (params, ctx) => {
  for (;;) Promise.resolve().then(() => {});
};
