// expect: no_function

