// expect: timeout
export default async (params, ctx) => {
  const thenable = { then(resolve) { resolve(thenable); } };
  return thenable;
};
