// expect: no_function
export default null;
