// expect: syntax
export default () => /(/;
