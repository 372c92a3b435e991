// expect: timeout
export default async (params, ctx) => {
  class Stuck extends RegExp { exec() { return { index: 0, 0: "x" }; } }
  for (const match of "x".matchAll(new Stuck("x", "g")));
};
