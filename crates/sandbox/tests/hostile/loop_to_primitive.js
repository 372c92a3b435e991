// expect: timeout
export default async (params, ctx) => {
  return `${{ [Symbol.toPrimitive]() { for (;;); } }}`;
};
