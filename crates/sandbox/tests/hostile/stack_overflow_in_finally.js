// expect: timeout
export default async (params, ctx) => {
  const again = () => { try { again(); } finally { again(); } };
  again();
};
