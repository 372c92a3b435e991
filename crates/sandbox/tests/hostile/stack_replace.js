// expect: thrown
export default async (params, ctx) => {
  const again = () => 'a'.replace(/a/, again);
  again();
};
