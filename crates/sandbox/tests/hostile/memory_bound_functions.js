// expect: memory
export default async (params, ctx) => {
  let bound = () => {};
  for (;;) bound = bound.bind(null, 1);
};
