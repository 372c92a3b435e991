// expect: memory
export default async (params, ctx) => {
  let value = ['xxxxxxxxxxxxxxxx'];
  for (let i = 0; i < 60; i++) value = [value, value];
  return value;
};
