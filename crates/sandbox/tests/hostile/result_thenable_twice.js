// expect: ok
export default async (params, ctx) => {
  return { then(resolve) { resolve('contained'); resolve('again'); throw new Error('late'); } };
};
