// expect: output
export default async (params, ctx) => {
  return '語'.repeat(30000);
};
