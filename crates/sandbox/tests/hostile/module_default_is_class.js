// expect: thrown
export default class Tool { run() { return 1; } }
