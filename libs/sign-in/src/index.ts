export { browserName } from './browser-name.js';
export { isSignInRefusal, SIGN_IN_REFUSALS, type SignInRefusal } from './refusals.js';
export { returnAddress } from './return-address.js';
