// expect: timeout
export default async (params, ctx) => {
  const again = () => {
    Promise.resolve().then(again);
  };
  again();
  await new Promise(() => {});
};
