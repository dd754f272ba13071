/**
 * Makes password hashing 1,000 times cheaper in this process, because integration tests sign in so often. Services in
 * separate processes aren't affected.
 */
import { SCRYPT_PARAMETERS } from '../../apps/console/src/passwords/password-hasher.service.js';

SCRYPT_PARAMETERS.N = 16;
