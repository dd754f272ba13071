import { ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

interface OriginRule {
  publicUrl: string;
  /** Whether to reject requests that have neither `Sec-Fetch-Site` nor `Origin`. */
  isStrict: boolean;
}

/**
 * Protects against cross-site request forgery. Browsers send the origin of a request in `Sec-Fetch-Site` (W3C Fetch
 * Metadata), which pages can't set. Over plain HTTP, they only send `Origin`.
 *
 * @throws {ProblemError} 403 if a request with an unsafe method comes from another site.
 */
export function requireSameOrigin({ method, headers }: FastifyRequest, { publicUrl, isStrict }: OriginRule): void {
  if (SAFE_METHODS.has(method)) return;
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site === 'same-origin') return;
  if (site === undefined && origin !== undefined && URL.canParse(origin)) {
    const originUrl = new URL(origin);
    if (originUrl.host === host || originUrl.origin === new URL(publicUrl).origin) return;
  }
  if (site === undefined && origin === undefined && !isStrict) return;
  throw new ProblemError(
    'forbidden',
    'Only the dashboard can make changes with a session cookie. Use an API key in programs.',
  );
}
