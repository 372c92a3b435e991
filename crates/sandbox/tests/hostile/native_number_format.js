// expect: timeout
export default async (params, ctx) => {
  for (;;) (1e-300).toFixed(100);
};
