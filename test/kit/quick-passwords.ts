/**
 * Makes hashing a password a thousand times cheaper in this process: it takes 87 ms of the processor, on purpose, and the
 * integration tests sign in a thousand times. Services that run as processes of their own hash as ever.
 */
import { SCRYPT } from '../../apps/console/src/passwords/password-hasher.service.js';

SCRYPT.N = 16;
