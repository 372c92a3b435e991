// expect: timeout
export default async (params, ctx) => {
  class Endless { get next() { return this; } }
  let one = new Endless();
  for (;;) one = one.next;
};
