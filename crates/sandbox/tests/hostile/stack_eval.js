// expect: thrown
export default async (params, ctx) => {
  globalThis.again = () => (0, eval)('again()');
  again();
};
