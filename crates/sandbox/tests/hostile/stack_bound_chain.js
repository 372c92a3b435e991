// expect: memory
export default async (params, ctx) => {
  let bound = () => 1;
  for (let i = 0; i < 20000; i++) bound = bound.bind(null);
  return bound();
};
