// expect: timeout
export default async (params, ctx) => {
  const tag = () => { for (;;); };
  return tag`x`;
};
