export { commonPasswords } from './common-passwords.js';
export { passwordFault, type PasswordContext } from './password-fault.js';
