// expect: never_settled
await new Promise(() => {});
export default () => 1;
