// expect: syntax
export default () => { await 1; };
