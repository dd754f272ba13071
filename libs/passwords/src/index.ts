export { loadCommonPasswords } from './common-passwords.js';
export { findPasswordFault, type PasswordContext } from './password-fault.js';
