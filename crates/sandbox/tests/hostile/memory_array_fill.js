// expect: memory
export default async (params, ctx) => {
  new Array(2 ** 27).fill(0);
};
