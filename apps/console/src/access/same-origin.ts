import { ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';

const SAFE = new Set(['GET', 'HEAD']);

export interface OriginRule {
  /** Under which the dashboard is served. */
  publicUrl: string;
  /** Whether a request that says nothing of where it is from is refused. */
  isStrict: boolean;
}

/**
 * Keeps other sites from changing something with a visitor's cookie. Browsers say where a request is from in
 * `Sec-Fetch-Site` (W3C Fetch Metadata), which no page can set, and over plain HTTP in `Origin` alone.
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
