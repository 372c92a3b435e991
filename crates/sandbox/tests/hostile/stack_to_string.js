// expect: thrown
export default async (params, ctx) => {
  const object = { toString() { return `${this}!`; } };
  return `${object}`;
};
