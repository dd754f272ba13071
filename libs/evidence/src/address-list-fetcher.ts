import { Counter } from 'prom-client';
import { sanityFault } from './address-list-sanity.js';
import { readAddressList } from './address-list.js';
import { GuardedFetchError, type Fetched, type FetchFault, type GuardedFetch } from './guarded-fetch.js';

export interface AddressListRequest {
  url: string;
  /** Format name from the catalog; see `readAddressList`. */
  format: string;
  /** ETag of the last accepted response; `null` if unknown or if the format has changed. */
  etag: string | null;
  lastModified: string | null;
  /** Ranges of the last accepted list. Empty: none yet. */
  previous: readonly string[];
}

export type AddressListFault =
  | FetchFault
  | 'bad_status'
  | 'unreadable'
  /** The list fails a sanity check; see `sanityFault`. */
  | 'implausible';

export type AddressListOutcome =
  /** The list is unchanged and counts as just fetched. */
  | { outcome: 'unchanged' }
  | { outcome: 'changed'; ranges: string[]; skipped: number; etag: string | null; lastModified: string | null }
  | { outcome: 'failed'; kind: AddressListFault; reason: string };

const LIMITS = { maxBytes: 5_000_000, timeoutMs: 10_000 };

const fetches = new Counter({
  name: 'agent_traffic_address_list_fetches_total',
  help: 'Address lists fetched; outcome: changed, unchanged, or the reason for a rejection',
  labelNames: ['outcome'],
});

/** Fetches an operator's published address list with a conditional request. Stores nothing and never rejects. */
export async function fetchAddressList(request: AddressListRequest, fetch: GuardedFetch): Promise<AddressListOutcome> {
  const outcome = await attempt(request, fetch);
  fetches.inc({ outcome: outcome.outcome === 'failed' ? outcome.kind : outcome.outcome });
  return outcome;
}

async function attempt(request: AddressListRequest, fetch: GuardedFetch): Promise<AddressListOutcome> {
  const { url, etag, lastModified, previous } = request;
  // Without a previous list, a 304 response would be useless.
  const hasList = previous.length > 0;
  const headers = {
    accept: 'application/json, text/plain;q=0.9, text/csv;q=0.9, */*;q=0.1',
    ...(hasList && etag !== null && { 'if-none-match': etag }),
    ...(hasList && lastModified !== null && { 'if-modified-since': lastModified }),
  };
  try {
    const fetched = await fetch(url, { ...LIMITS, headers });
    const isConditional = 'if-none-match' in headers || 'if-modified-since' in headers;
    if (fetched.status === 304 && isConditional) return { outcome: 'unchanged' };
    if (fetched.status !== 200) return failed('bad_status', `status ${fetched.status}`);
    return judge(fetched, request);
  } catch (error) {
    return failed(error instanceof GuardedFetchError ? error.fault : 'unreachable', (error as Error).message);
  }
}

function judge({ body, headers }: Fetched, { format, previous }: AddressListRequest): AddressListOutcome {
  try {
    const list = readAddressList(body.toString(), format);
    const reason = sanityFault(list.ranges, previous);
    if (reason !== null) return failed('implausible', reason);
    const [etag, lastModified] = [headers['etag'] ?? null, headers['last-modified'] ?? null];
    return { outcome: 'changed', ...list, etag, lastModified };
  } catch (error) {
    return failed('unreadable', (error as Error).message);
  }
}

function failed(kind: AddressListFault, reason: string): AddressListOutcome {
  return { outcome: 'failed', kind, reason };
}
