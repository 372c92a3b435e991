// expect: timeout
export default async (params, ctx) => {
  [2, 1].sort(() => { for (;;); });
};
