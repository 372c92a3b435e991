// expect: timeout
export default async (params, ctx) => {
  let number = 3n;
  for (;;) number = number ** 5n;
};
