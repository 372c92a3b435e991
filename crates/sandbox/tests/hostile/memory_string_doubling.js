// expect: thrown
export default async (params, ctx) => {
  let text = 'x';
  for (;;) text += text;
};
