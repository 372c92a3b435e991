// expect: ok
export default async (params, ctx) => {
  const again = () => queueMicrotask(again);
  again();
  return "contained";
};
