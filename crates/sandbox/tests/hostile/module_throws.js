// expect: thrown
throw new Error('at the beginning');
