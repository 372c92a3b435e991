// expect: no_function
export const tool = () => 1;
