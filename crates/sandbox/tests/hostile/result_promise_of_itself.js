// expect: thrown
export default async (params, ctx) => {
  let resolve;
  const promise = new Promise((done) => { resolve = done; });
  resolve(promise);
  return promise;
};
