import { absurdity, readAddressList } from './address-list.js';
import { PUBLIC_EGRESS, type EgressPolicy } from './egress-policy.js';
import { guardedFetch } from './guarded-fetch.js';

/** A list to be fetched, and what is known of it. */
export interface ListToFetch {
  url: string;
  /** As `readAddressList` takes it. */
  format: string;
  /** Of the last answer, so that an unchanged list isn't sent again. */
  etag: string | null;
  lastModified: string | null;
  /** The last good ranges. */
  previous: readonly string[] | null;
}

export type FetchedList =
  | { kind: 'changed'; ranges: readonly string[]; etag: string | null; lastModified: string | null }
  | { kind: 'unchanged' }
  /** What there was stays in use. */
  | { kind: 'failed'; reason: string };

const DEADLINE = 10_000;
const MOST_BYTES = 5 * 1024 * 1024;

/** Fetches address lists that operators publish, and keeps back what can't be meant. */
export class AddressListFetcher {
  constructor(private readonly policy: EgressPolicy = PUBLIC_EGRESS) {}

  /** Never rejects. */
  async fetch(list: ListToFetch): Promise<FetchedList> {
    try {
      return await this.fetchOrThrow(list);
    } catch (error) {
      return { kind: 'failed', reason: (error as Error).message };
    }
  }

  private async fetchOrThrow({ url, format, etag, lastModified, previous }: ListToFetch): Promise<FetchedList> {
    const isKnown = previous !== null;
    const headers = {
      accept: 'application/json, text/plain;q=0.9, text/csv;q=0.9, */*;q=0.1',
      ...(isKnown && etag !== null && { 'if-none-match': etag }),
      ...(isKnown && lastModified !== null && { 'if-modified-since': lastModified }),
    };
    const answer = await guardedFetch(url, { maxBytes: MOST_BYTES, deadline: DEADLINE, headers }, this.policy);
    if (answer.status === 304 && isKnown) return { kind: 'unchanged' };
    if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
    const { ranges } = readAddressList(answer.body.toString('utf8'), format);
    const absurd = absurdity(ranges, previous);
    if (absurd !== null) throw new Error(absurd);
    return {
      kind: 'changed',
      ranges,
      etag: answer.headers['etag'] ?? null,
      lastModified: answer.headers['last-modified'] ?? null,
    };
  }
}
