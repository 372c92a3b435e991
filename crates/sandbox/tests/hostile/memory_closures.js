// expect: memory
export default async (params, ctx) => {
  let chain = null;
  for (;;) { const previous = chain; chain = () => previous; }
};
