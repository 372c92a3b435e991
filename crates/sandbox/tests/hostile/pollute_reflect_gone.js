// expect: ok
export default async (params, ctx) => {
  for (const name of Reflect.ownKeys(globalThis)) { try { delete globalThis[name]; } catch { } }
  ctx.log('still here');
  return 'contained';
};
