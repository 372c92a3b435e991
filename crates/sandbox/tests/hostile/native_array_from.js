// expect: memory
export default async (params, ctx) => {
  Array.from({ length: 2 ** 32 - 1 });
};
