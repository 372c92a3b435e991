// expect: timeout
export default async (params, ctx) => {
  Error.prepareStackTrace = () => { for (;;); };
  null.x;
};
