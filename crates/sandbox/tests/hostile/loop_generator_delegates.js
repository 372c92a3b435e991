// expect: timeout
export default async (params, ctx) => {
  function* inner() { for (;;) yield 1; }
  function* outer() { yield* inner(); }
  for (const one of outer());
};
