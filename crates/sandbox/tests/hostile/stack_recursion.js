// expect: thrown
export default async (params, ctx) => {
  const again = () => again() + 1;
  return again();
};
