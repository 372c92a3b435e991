// expect: ok
export default async (params, ctx) => {
  const again = () => {
    try { return again(); } catch { return "contained"; }
  };
  return again();
};
