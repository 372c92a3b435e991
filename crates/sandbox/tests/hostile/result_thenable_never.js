// expect: never_settled
export default async (params, ctx) => {
  return { then() {} };
};
