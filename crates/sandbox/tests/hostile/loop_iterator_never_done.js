// expect: timeout
export default async (params, ctx) => {
  const endless = { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) };
  for (const one of endless);
};
