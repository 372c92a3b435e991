// expect: thrown
export default async (params, ctx) => {
  return require('fs').readFileSync('/etc/passwd');
};
