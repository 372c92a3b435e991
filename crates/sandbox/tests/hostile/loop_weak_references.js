// expect: timeout
export default async (params, ctx) => {
  for (;;) new WeakRef({}).deref();
};
