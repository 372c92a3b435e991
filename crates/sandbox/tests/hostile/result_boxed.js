// expect: ok [1,"a",true]
export default async (params, ctx) => {
  return [new Number(1), new String('a'), new Boolean(true)];
};
