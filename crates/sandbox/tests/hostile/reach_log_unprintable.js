// expect: ok
export default async (params, ctx) => {
  ctx.log(new Proxy({}, { get() { throw 1; }, ownKeys() { throw 1; } }), Object.create(null), Symbol('s'), 1n, { toJSON() { throw 1; } });
  return 'contained';
};
