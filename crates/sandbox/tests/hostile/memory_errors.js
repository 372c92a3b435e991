// expect: memory
export default async (params, ctx) => {
  const all = [];
  for (;;) all.push(new Error("x"));
};
