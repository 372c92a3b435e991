// expect: ok
export default async (params, ctx) => {
  Promise.prototype.then = () => { throw new Error('mine now'); };
  await null;
  return 'contained';
};
