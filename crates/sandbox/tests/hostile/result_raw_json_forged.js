// expect: ok
export default async (params, ctx) => {
  const raw = JSON.rawJSON ? JSON.rawJSON('1') : 'contained';
  return typeof raw === 'string' ? raw : 'contained';
};
