// expect: no_function
export default { run: () => 1 };
