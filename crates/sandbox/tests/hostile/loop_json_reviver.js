// expect: timeout
export default async (params, ctx) => {
  JSON.parse('[1]', () => { for (;;); });
};
