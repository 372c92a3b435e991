// expect: syntax
export { default } from '/etc/passwd';
