// expect: timeout
export default async (params, ctx) => {
  const again = () => queueMicrotask(again);
  again();
  await new Promise(() => {});
};
