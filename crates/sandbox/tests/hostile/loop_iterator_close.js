// expect: timeout
export default async (params, ctx) => {
  const trap = { [Symbol.iterator]: () => ({ next: () => ({ done: false }), return() { for (;;); } }) };
  const [first] = trap;
};
