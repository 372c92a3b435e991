// expect: timeout
export default async (params, ctx) => {
  'a'.replace(/a/, () => { for (;;); });
};
