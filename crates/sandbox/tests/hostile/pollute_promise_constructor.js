// expect: ok
export default async (params, ctx) => {
  Object.defineProperty(Promise.prototype, 'constructor', { get() { return class { }; } });
  await null;
  return 'contained';
};
