// expect: ok {}
export default async function* () { for (;;) yield 1; }
