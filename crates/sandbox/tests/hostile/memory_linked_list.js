// expect: memory
export default async (params, ctx) => {
  let list = null;
  for (;;) list = { list };
};
