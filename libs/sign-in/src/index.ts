export { getBrowserName } from './browser-name.js';
export { isSignInError, SIGN_IN_ERRORS, type SignInError } from './sign-in-errors.js';
export { parseReturnPath } from './return-path.js';
