// expect: timeout
for (;;);
export default () => 1;
