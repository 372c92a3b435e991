// expect: timeout
export default async (params, ctx) => {
  function* numbers() { for (let i = 0; ; i++) yield i; }
  for (const number of numbers());
};
