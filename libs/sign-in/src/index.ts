export { isSignInRefusal, SIGN_IN_REFUSALS, type SignInRefusal } from './refusals.js';
export { MAX_RETURN_ADDRESS_LENGTH, returnAddress } from './return-address.js';
