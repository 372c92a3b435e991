// expect: timeout
export default async (params, ctx) => {
  let next = () => () => next;
  for (let f = next; ; f = f());
};
