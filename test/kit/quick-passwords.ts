/**
 * Makes password hashing a thousand times cheaper in this process, because integration tests sign in so often. Services
 * in separate processes aren't affected.
 */
import { SCRYPT } from '../../apps/console/src/passwords/password-hasher.service.js';

SCRYPT.N = 16;
