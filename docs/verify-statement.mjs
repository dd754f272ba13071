// Checks the signature of a statement. Usage: node verify-statement.mjs STATEMENT KEYS
// KEYS is a saved copy of /.well-known/agent-traffic-statement-keys.json. Needs only Node.js. See statements.md.
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Returns the key that signed the file's bytes, or throws an error if no key did. */
export function check(file, { keys }) {
  // The file ends with: "signature":"<128 hexadecimal digits>"} and, in HTML, the end of the comment.
  const isHtml = file.subarray(0, 15).equals(Buffer.from('<!doctype html>'));
  const tail = isHtml ? '"}-->\n' : '"}\n';
  const signed = file.subarray(0, file.length - tail.length - 128);
  const digits = file.subarray(signed.length, file.length - tail.length).toString('latin1');
  const signature = Buffer.from(digits, 'hex');
  if (signature.length !== 64 || signature.toString('hex') !== digits) throw new Error('There is no signature');
  if (file.subarray(file.length - tail.length).toString('latin1') !== tail) throw new Error('The end was changed');

  // The last line also contains the ID of the key. The signature covers it, like everything before the digits.
  const lastLine = signed.subarray(signed.lastIndexOf('\n') + 1).toString('latin1');
  const keyId = /^(?:<!--)?\{"record":"signature","algorithm":"Ed25519","key_id":"([\w-]+)","signature":"$/.exec(
    lastLine,
  )?.[1];
  const key = keys.find(({ kid }) => kid === keyId);
  if (key === undefined) throw new Error(`There is no key with the ID ${keyId}`);

  const publicKey = createPublicKey({ key, format: 'jwk' });
  if (publicKey.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key');
  if (!verify(null, signed, publicKey, signature)) throw new Error('The signature does not match the file');
  return key;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , file, keys] = process.argv;
  const key = check(readFileSync(file), JSON.parse(readFileSync(keys, 'utf8')));
  console.log(`Valid. Signed with the key ${key.kid}, created at ${key.created_at}.`);
}
