// expect: ok null
export default async (params, ctx) => {
  return undefined;
};
