// expect: memory
export default async (params, ctx) => {
  let Base = class {};
  for (;;) Base = class extends Base { method() { return 1; } };
};
