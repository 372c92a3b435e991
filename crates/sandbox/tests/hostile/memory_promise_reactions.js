// expect: memory
export default async (params, ctx) => {
  const never = new Promise(() => {});
  for (;;) never.then(() => {});
};
