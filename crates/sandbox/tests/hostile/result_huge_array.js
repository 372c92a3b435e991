// expect: output
export default async (params, ctx) => {
  return new Array(1 << 16).fill(0);
};
