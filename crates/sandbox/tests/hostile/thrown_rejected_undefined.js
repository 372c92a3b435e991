// expect: thrown
export default async (params, ctx) => {
  await Promise.reject();
};
