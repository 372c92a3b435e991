// expect: memory
export default async (params, ctx) => {
  let all = [];
  for (let i = 0; ; i++) all.push(Object.assign({}, { a: i, b: [i], c: "c" + i }));
};
