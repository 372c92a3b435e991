// expect: timeout
export default async (params, ctx) => {
  const until = Date.now() + 1e9;
  while (Date.now() < until);
};
