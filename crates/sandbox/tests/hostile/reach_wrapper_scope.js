// expect: ok
export default async (params, ctx) => {
  const seen = ['native', 'waiting', 'limits', 'answered'].map((name) => (0, eval)(`typeof ${name}`));
  return seen.every((type) => type === 'undefined') ? 'contained' : seen;
};
