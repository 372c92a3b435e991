// expect: timeout
export default async (params, ctx) => {
  for (;;) {
    try {
      const list = [];
      for (;;) list.push({});
    } catch { }
  }
};
