// expect: thrown
export default async (params, ctx) => {
  Error.prepareStackTrace = () => { throw new Error('again'); };
  null.x;
};
