// expect: syntax
import { readFileSync } from 'fs';
export default () => readFileSync('/etc/passwd');
