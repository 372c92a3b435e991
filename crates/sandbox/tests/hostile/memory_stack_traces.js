// expect: memory
export default async (params, ctx) => {
  Error.stackTraceLimit = Infinity;
  const all = [];
  const deep = (n) => (n === 0 ? all.push(new Error("x")) : deep(n - 1));
  for (;;) deep(200);
};
