// expect: ok
export default async (params, ctx) => {
  const meta = import.meta;
  return JSON.stringify(meta).includes('/') ? meta : 'contained';
};
