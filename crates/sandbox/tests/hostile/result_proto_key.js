// expect: ok {"__proto__":{"polluted":true}}
export default async (params, ctx) => {
  return JSON.parse('{"__proto__":{"polluted":true}}');
};
