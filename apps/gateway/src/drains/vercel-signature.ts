import { createHmac, timingSafeEqual } from 'node:crypto';
import { ProblemError } from '#libs/platform';

/**
 * Checks that Vercel signed a body: HMAC-SHA1, hex (vercel.com/docs/drains/security).
 *
 * @param body as it was sent.
 * @throws ProblemError 403.
 */
export function requireVercelSignature(signature: string | string[] | undefined, body: Buffer, secret: string): void {
  const expected = createHmac('sha1', secret).update(body).digest();
  const given = Buffer.from(typeof signature === 'string' ? signature : '', 'hex');
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new ProblemError(
    'forbidden',
    signature === undefined
      ? 'The body is not signed: the header x-vercel-signature is missing. Remove the secret in the settings of drains, or send through Vercel.'
      : "The header x-vercel-signature does not fit the body and the project's secret.",
  );
}
