// expect: timeout
export default async (params, ctx) => {
  ctx.log({ toJSON() { for (;;); } });
};
