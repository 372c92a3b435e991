// expect: thrown
export default async (params, ctx) => {
  throw null;
};
