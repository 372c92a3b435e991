// expect: syntax
import * as std from 'std';
export default () => std.loadFile('/etc/passwd');
