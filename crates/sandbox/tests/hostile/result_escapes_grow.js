// expect: output
export default async (params, ctx) => {
  return '\u0001'.repeat(20000);
};
