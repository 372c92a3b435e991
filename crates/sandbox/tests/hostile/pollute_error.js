// expect: thrown
export default async (params, ctx) => {
  globalThis.Error = globalThis.TypeError = class { };
  null.x;
};
