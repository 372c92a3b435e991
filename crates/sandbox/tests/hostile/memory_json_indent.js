// expect: memory
export default async (params, ctx) => {
  let value = 1;
  for (let i = 0; i < 3000; i++) value = [value, value.a];
  const list = new Array(3000).fill(value);
  return JSON.stringify(list, null, '          ').length;
};
