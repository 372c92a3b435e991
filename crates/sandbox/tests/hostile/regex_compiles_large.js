// expect: thrown
export default async (params, ctx) => {
  new RegExp('(?:'.repeat(20000) + 'a' + '){0,9}'.repeat(20000));
  return 'contained';
};
