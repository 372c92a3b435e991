// expect: timeout
export default async (params, ctx) => {
  // Its fifth power is still below the largest number there is: the loop ends only by its time.
  const number = 3n ** 100000n;
  for (;;) number ** 5n;
};
