// expect: timeout
export default async (params, ctx) => {
  function* stubborn() { try { yield 1; } finally { for (;;); } }
  for (const one of stubborn()) break;
};
