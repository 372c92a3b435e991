// expect: memory
export default async (params, ctx) => {
  Math.max(...new Array(2 ** 26));
};
