/**
 * Makes hashing a password a thousand times cheaper in this process: it takes 87 ms of the processor, on purpose, and the
 * integration tests sign in a thousand times. Services that run as processes of their own hash as ever.
 */
import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Callback = (error: Error | null, key: Buffer) => void;

const { scrypt } = crypto;
crypto.scrypt = ((password: BinaryLike, salt: BinaryLike, length: number, options: ScryptOptions, callback: Callback) =>
  scrypt(password, salt, length, { ...options, N: 16 }, callback)) as typeof scrypt;
syncBuiltinESMExports();
