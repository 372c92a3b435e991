// expect: ok "mine"
export default async (params, ctx) => {
  Object.prototype.toJSON = () => 'mine';
  return { a: 1 };
};
