// expect: timeout
for (;;) await null;
export default () => 1;
