// expect: syntax
let a;
let a;
export default () => a;
