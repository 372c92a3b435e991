// expect: syntax
export default () => { with ({}) { } };
