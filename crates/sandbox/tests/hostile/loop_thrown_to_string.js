// expect: timeout
export default async (params, ctx) => {
  throw { toJSON() { for (;;); } };
};
