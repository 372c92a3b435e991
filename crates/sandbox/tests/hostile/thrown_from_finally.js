// expect: thrown
export default async (params, ctx) => {
  try { throw new Error('a'); } finally { throw new Error('b'); }
};
