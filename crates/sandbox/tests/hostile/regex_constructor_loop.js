// expect: timeout
export default async (params, ctx) => {
  for (let i = 0; ; i++) new RegExp('a{' + (i % 99) + '}b|c*');
};
