// expect: memory
export default async (params, ctx) => {
  let value = [1];
  for (;;) value = JSON.parse(JSON.stringify([value, value]));
};
