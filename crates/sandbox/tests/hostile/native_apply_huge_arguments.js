// expect: thrown
export default async (params, ctx) => {
  Math.max.apply(null, { length: 2 ** 31 });
};
