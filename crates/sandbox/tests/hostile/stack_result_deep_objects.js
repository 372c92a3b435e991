// expect: bad_result
export default async (params, ctx) => {
  let value = null;
  for (let i = 0; i < 1000; i++) value = { value };
  return value;
};
