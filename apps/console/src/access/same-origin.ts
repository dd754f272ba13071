import { ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';

const SAFE = new Set(['GET', 'HEAD']);

interface OriginRule {
  publicUrl: string;
  /** Whether to reject requests with neither `Sec-Fetch-Site` nor `Origin`. */
  isStrict: boolean;
}

/**
 * Protects against cross-site request forgery. Browsers send the origin of a request in `Sec-Fetch-Site` (W3C Fetch
 * Metadata), which pages can't set. Over plain HTTP, they only send `Origin`.
 *
 * @throws ProblemError 403 if a request that may change something comes from another site.
 */
export function requireSameOrigin({ method, headers }: FastifyRequest, { publicUrl, isStrict }: OriginRule): void {
  if (SAFE.has(method)) return;
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site === 'same-origin') return;
  if (site === undefined && origin !== undefined && URL.canParse(origin)) {
    const from = new URL(origin);
    if (from.host === host || from.origin === new URL(publicUrl).origin) return;
  }
  if (site === undefined && origin === undefined && !isStrict) return;
  throw new ProblemError(
    'forbidden',
    'With a session cookie, only the dashboard can make changes. Use an API key in programs.',
  );
}
