// expect: thrown
export default async (params, ctx) => {
  class Again { constructor() { new Again(); } }
  new Again();
};
