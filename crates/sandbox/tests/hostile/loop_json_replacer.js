// expect: timeout
export default async (params, ctx) => {
  JSON.stringify([1], () => { for (;;); });
};
