// expect: memory
export default async (params, ctx) => {
  return Array.from({ length: 2 ** 25 }, (_, i) => 'text ' + i);
};
