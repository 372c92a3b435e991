// expect: syntax
import * as os from 'os';
export default () => os.exec(['id']);
