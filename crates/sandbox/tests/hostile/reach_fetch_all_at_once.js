// expect: thrown
export default async (params, ctx) => {
  await Promise.all(Array.from({ length: 1000 }, () => ctx.fetch('https://a.test')));
};
