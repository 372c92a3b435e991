// expect: ok
export default async (params, ctx) => {
  delete globalThis.JSON;
  return 'contained';
};
