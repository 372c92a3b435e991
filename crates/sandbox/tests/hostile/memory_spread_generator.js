// expect: memory
export default async (params, ctx) => {
  function* numbers() { for (;;) yield 1; }
  return [...numbers()];
};
