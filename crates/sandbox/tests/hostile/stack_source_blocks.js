// expect: thrown
export default async (params, ctx) => {
  new Function('{'.repeat(1 << 18) + '}'.repeat(1 << 18));
};
