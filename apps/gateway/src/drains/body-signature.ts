import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DrainSender } from '#libs/drains';
import { ProblemError } from '#libs/platform';

type SigningSender = DrainSender & Required<Pick<DrainSender, 'signature'>>;

/**
 * Verifies the HMAC signature of a request body.
 *
 * @param body Raw request body.
 * @throws {ProblemError} 403 if the signature is missing or wrong.
 */
export function requireBodySignature(
  { label, signature: { header, algorithm } }: SigningSender,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
  secret: string,
): void {
  const signature = headers[header];
  const expected = createHmac(algorithm, secret).update(body).digest();
  const received = Buffer.from(typeof signature === 'string' ? signature : '', 'hex');
  if (received.length === expected.length && timingSafeEqual(received, expected)) return;
  throw new ProblemError(
    'forbidden',
    signature === undefined
      ? `The request isn't signed: the ${header} header is missing. Send it through ${label}, or remove the secret from the drain settings.`
      : `The ${header} header doesn't match the body and the project's secret.`,
  );
}

export const isSigning = (sender: DrainSender): sender is SigningSender => sender.signature !== undefined;
