// expect: syntax
export default () => {
