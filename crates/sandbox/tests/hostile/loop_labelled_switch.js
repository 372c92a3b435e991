// expect: timeout
export default async (params, ctx) => {
  loop: for (;;) switch (1) { case 1: continue loop; }
};
