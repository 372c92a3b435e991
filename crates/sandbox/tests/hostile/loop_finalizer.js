// expect: timeout
export default async (params, ctx) => {
  const registry = new FinalizationRegistry(() => { for (;;); });
  (() => { registry.register({}, 'gone'); })();
  for (let i = 0; i < 1000; i++) await null;
  for (;;) await { a: {} };
};
