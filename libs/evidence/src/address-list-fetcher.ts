import { Counter } from 'prom-client';
import { findSanityFault } from './address-list-sanity.js';
import { readAddressList } from './address-list.js';
import { GuardedFetchError, type FetchResponse, type FetchFault, type GuardedFetch } from './guarded-fetch.js';

export interface AddressListRequest {
  url: string;
  /** Format name from the catalog. `readAddressList` lists all formats. */
  format: string;
  /** ETag of the last accepted response, or null if it is unknown or the format has changed. */
  etag: string | null;
  lastModified: string | null;
  /** Ranges in the last accepted list. Empty if no list has been accepted yet. */
  previous: readonly string[];
}

export type AddressListFault =
  | FetchFault
  | 'bad_status'
  | 'unreadable'
  /** The list fails a sanity check in `findSanityFault`. */
  | 'implausible';

export type AddressListOutcome =
  /** The list hasn't changed. It is treated as freshly fetched. */
  | { outcome: 'unchanged' }
  | { outcome: 'changed'; ranges: string[]; skipped: number; etag: string | null; lastModified: string | null }
  | { outcome: 'failed'; kind: AddressListFault; reason: string };

const LIMITS = { maxBytes: 5_000_000, timeoutMs: 10_000 };

const fetchCounter = new Counter({
  name: 'agent_traffic_address_list_fetches_total',
  help: 'Address list fetches, by outcome: changed, unchanged or the failure reason',
  labelNames: ['outcome'],
});

/** Fetches an operator's published address list with a conditional request. Doesn't store the list. Never rejects. */
export async function fetchAddressList(request: AddressListRequest, fetch: GuardedFetch): Promise<AddressListOutcome> {
  const outcome = await tryFetch(request, fetch);
  fetchCounter.inc({ outcome: outcome.outcome === 'failed' ? outcome.kind : outcome.outcome });
  return outcome;
}

async function tryFetch(request: AddressListRequest, fetch: GuardedFetch): Promise<AddressListOutcome> {
  const { url, etag, lastModified, previous } = request;
  // A 304 response is only useful if there is a previous list.
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
    if (fetched.status !== 200) return toFailure('bad_status', `status ${fetched.status}`);
    return validateList(fetched, request);
  } catch (error) {
    return toFailure(error instanceof GuardedFetchError ? error.fault : 'unreachable', (error as Error).message);
  }
}

function validateList({ body, headers }: FetchResponse, { format, previous }: AddressListRequest): AddressListOutcome {
  try {
    const list = readAddressList(body.toString(), format);
    const reason = findSanityFault(list.ranges, previous);
    if (reason !== null) return toFailure('implausible', reason);
    const [etag, lastModified] = [headers['etag'] ?? null, headers['last-modified'] ?? null];
    return { outcome: 'changed', ...list, etag, lastModified };
  } catch (error) {
    return toFailure('unreadable', (error as Error).message);
  }
}

function toFailure(kind: AddressListFault, reason: string): AddressListOutcome {
  return { outcome: 'failed', kind, reason };
}
