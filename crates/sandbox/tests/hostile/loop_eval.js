// expect: timeout
export default async (params, ctx) => {
  (0, eval)('for (;;);');
};
