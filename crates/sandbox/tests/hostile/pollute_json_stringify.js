// expect: ok
export default async (params, ctx) => {
  JSON.stringify = () => { throw new Error('mine now'); };
  return 'contained';
};
