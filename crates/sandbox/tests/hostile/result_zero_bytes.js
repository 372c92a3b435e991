// expect: ok "a\u0000b"
export default async (params, ctx) => {
  return 'a\0b';
};
