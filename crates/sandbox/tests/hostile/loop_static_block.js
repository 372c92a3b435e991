// expect: timeout
export default async (params, ctx) => {
  class Trap { static { for (;;); } }
};
