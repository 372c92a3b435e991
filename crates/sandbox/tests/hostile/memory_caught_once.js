// expect: ok
export default async (params, ctx) => {
  try {
    const list = [];
    for (;;) list.push({});
  } catch {
    return "contained";
  }
};
