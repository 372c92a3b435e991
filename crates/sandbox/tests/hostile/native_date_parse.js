// expect: timeout
export default async (params, ctx) => {
  for (;;) new Date('2020-01-01T00:00:00Z').toLocaleString();
};
