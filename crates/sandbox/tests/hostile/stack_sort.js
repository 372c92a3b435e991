// expect: thrown
export default async (params, ctx) => {
  const again = () => [2, 1].sort(again);
  again();
};
