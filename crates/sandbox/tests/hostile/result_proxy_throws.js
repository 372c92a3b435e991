// expect: bad_result
export default async (params, ctx) => {
  return new Proxy([], { get(target, name) { if (name === 'then') return; throw new Error('no'); } });
};
