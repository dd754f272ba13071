import { parseKeySet, type DirectoryFault, type KeySet } from '#libs/agents';
import { GuardedFetchError, type FetchFault, type FetchResponse, type GuardedFetch } from './guarded-fetch.js';

export type DirectoryResult =
  | { keys: KeySet; /** Key set as received, in JSON. */ document: string; freshForMs: number }
  | {
      fault: DirectoryFault;
      reason: string;
      /** Delay requested by the directory. */ retryAfterMs: number;
    };

const LIMITS = { maxBytes: 64 * 1_024, timeoutMs: 3_000 };
const ACCEPT =
  'application/http-message-signatures-directory+json, application/jwk-set+json;q=0.9, application/json;q=0.8';

const MINUTE_MS = 60_000;
const MIN_FRESHNESS_MS = MINUTE_MS;
const DEFAULT_FRESHNESS_MS = 60 * MINUTE_MS;
export const MAX_FRESHNESS_MS = 24 * 60 * MINUTE_MS;
export const MAX_RETRY_AFTER_MS = 60 * MINUTE_MS;

const DIRECTORY_FAULTS: Record<FetchFault, DirectoryFault> = {
  address_refused: 'directory_address_refused',
  redirected: 'directory_redirected',
  unreachable: 'directory_unreachable',
  timed_out: 'directory_unreachable',
  too_large: 'directory_malformed',
  encoded: 'directory_malformed',
};

/**
 * Fetches a key directory (draft-ietf-webbotauth-httpsig-protocol-01, section 5.5). The status must be 200. The media
 * type is ignored, because many directories send the wrong one. Never rejects.
 */
export async function fetchKeyDirectory(
  url: string,
  fetch: GuardedFetch,
  now: () => number,
  signal?: AbortSignal,
): Promise<DirectoryResult> {
  try {
    const fetched = await fetch(url, { ...LIMITS, headers: { accept: ACCEPT }, ...(signal && { signal }) });
    if (fetched.status !== 200) {
      const retryAfterMs = parseRetryAfterMs(fetched.headers['retry-after'], now());
      return { fault: 'directory_bad_status', reason: `status ${fetched.status}`, retryAfterMs };
    }
    return toDirectoryResult(fetched);
  } catch (error) {
    const fault = error instanceof GuardedFetchError ? DIRECTORY_FAULTS[error.fault] : 'directory_unreachable';
    return { fault, reason: (error as Error).message, retryAfterMs: 0 };
  }
}

function toDirectoryResult({ headers, body }: FetchResponse): DirectoryResult {
  try {
    const document = body.toString();
    return { keys: parseKeySet(document), document, freshForMs: getFreshnessMs(headers) };
  } catch (error) {
    return { fault: 'directory_malformed', reason: (error as Error).message, retryAfterMs: 0 };
  }
}

/** Returns the freshness lifetime in milliseconds, taken from Cache-Control (RFC 9111) and limited to a fixed range. */
function getFreshnessMs(headers: Record<string, string>): number {
  const control = headers['cache-control'] ?? '';
  if (/\bno-(?:store|cache)\b/i.test(control)) return MIN_FRESHNESS_MS;
  const maxAge = /\bmax-age\s*=\s*"?(\d{1,10})/i.exec(control)?.[1];
  if (maxAge === undefined) return DEFAULT_FRESHNESS_MS;
  const age = /^\d{1,10}$/.test(headers['age'] ?? '') ? Number(headers['age']) : 0;
  return Math.min(Math.max((Number(maxAge) - age) * 1_000, MIN_FRESHNESS_MS), MAX_FRESHNESS_MS);
}

/** Returns the Retry-After delay in milliseconds. The header contains seconds or a date (RFC 9110, section 10.2.3). */
function parseRetryAfterMs(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  const wait = /^\d{1,10}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}
