// expect: thrown
export default async (params, ctx) => {
  function* deep(n) { if (n > 0) yield* deep(n - 1); }
  [...deep(1e6)];
};
