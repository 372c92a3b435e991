// expect: timeout
export default async (params, ctx) => {
  throw { get message() { for (;;); } };
};
