// expect: timeout
export default async (params, ctx) => {
  while (true);
};
