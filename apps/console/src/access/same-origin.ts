import { ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';

const SAFE = new Set(['GET', 'HEAD']);

interface OriginRule {
  /** The address that the dashboard is served under. */
  publicUrl: string;
  /** Whether to refuse a request that does not tell where it is from. */
  isStrict: boolean;
}

/**
 * Keeps other sites from making changes with a visitor's cookie. Browsers tell where a request is from in
 * `Sec-Fetch-Site` (W3C Fetch Metadata), which no page can set, and over plain HTTP only in `Origin`.
 *
 * @throws ProblemError 403
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
