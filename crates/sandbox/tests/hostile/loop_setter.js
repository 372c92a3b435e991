// expect: timeout
export default async (params, ctx) => {
  const trap = { set a(value) { for (;;) value++; } };
  trap.a = 1;
};
