// expect: ok
export default async (params, ctx) => {
  let seen = [];
  Error.prepareStackTrace = (error, sites) => { seen = sites.map((site) => { try { return site.getThis && typeof site.getThis(); } catch { return 'no'; } }); return ''; };
  new Error('x').stack;
  return seen.includes('object') ? 'found' : 'contained';
};
