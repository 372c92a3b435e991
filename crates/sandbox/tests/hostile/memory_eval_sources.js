// expect: memory
export default async (params, ctx) => {
  const all = [];
  for (let i = 0; ; i++) all.push((0, eval)('(() => "' + 'x'.repeat(5000) + i + '")'));
};
