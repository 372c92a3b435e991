// expect: thrown
export default async (params, ctx) => {
  function again() { return Reflect.apply(again, null, []); }
  again();
};
