// expect: timeout
export default async (params, ctx) => {
  new Function('for (;;);')();
};
