// expect: thrown
export default async (params, ctx) => {
  function spy() { return spy.caller; }
  return spy() ? 'found' : 'contained';
};
