// expect: timeout
export default async (params, ctx) => {
  outer: do { continue outer; } while (true);
};
