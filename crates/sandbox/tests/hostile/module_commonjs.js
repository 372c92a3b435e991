// expect: thrown
module.exports = () => 1;
