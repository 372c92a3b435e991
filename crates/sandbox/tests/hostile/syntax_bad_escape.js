// expect: syntax
export default () => "\u{110000}";
