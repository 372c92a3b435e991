// expect: ok
export default async (params, ctx) => {
  for (const name of Object.getOwnPropertyNames(globalThis)) { try { Object.freeze(globalThis[name].prototype); } catch { } }
  Object.freeze(globalThis);
  return 'contained';
};
