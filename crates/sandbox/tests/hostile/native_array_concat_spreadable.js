// expect: timeout
export default async (params, ctx) => {
  [].concat({ length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true });
};
