// expect: ok
export default async (params, ctx) => {
  const list = new Array(100000);
  return list.every((value) => value === undefined) ? 'contained' : 'found';
};
