// expect: thrown
export default async (params, ctx) => {
  throw new AggregateError([new Error('a'), null], 'many');
};
