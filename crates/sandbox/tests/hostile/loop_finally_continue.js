// expect: timeout
export default async (params, ctx) => {
  for (;;) {
    try { for (;;); } finally { continue; }
  }
};
