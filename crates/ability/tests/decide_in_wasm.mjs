// node decide_in_wasm.mjs MODULE <RULES: the rules for each row of the table in, an answer for each row out.
import { readFileSync } from 'node:fs';

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const { decide, memory, reserve } = instance.exports;
const encoder = new TextEncoder();

const answers = JSON.parse(readFileSync(0, 'utf8')).map((rules, row) => {
  const bytes = encoder.encode(JSON.stringify(rules));
  const at = reserve(bytes.length);
  new Uint8Array(memory.buffer).set(bytes, at);
  return decide(row, at, bytes.length) === 1;
});
process.stdout.write(JSON.stringify(answers));
