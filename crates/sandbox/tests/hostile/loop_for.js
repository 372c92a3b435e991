// expect: timeout
export default async (params, ctx) => {
  for (;;);
};
