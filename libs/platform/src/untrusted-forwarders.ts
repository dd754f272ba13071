import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** An address that sends `X-Forwarded-For` but isn't a trusted proxy. */
export interface UntrustedForwarder {
  address: string;
  /** Number of requests. Starts over if the address sends none for a day. */
  requests: number;
}

const MAX_ADDRESSES = 100;
const MAX_REPORTED = 3;
const FORGET_AFTER_MS = 86_400_000;

/**
 * Records who sent untrusted forwarding headers in the last day. Only an operator can tell why: the address may be a
 * proxy that is missing from `TRUSTED_PROXIES`, so all its visitors count as one, or a client that forges headers.
 */
@Injectable()
export class UntrustedForwarders {
  private readonly requests = new LRUCache<string, number>({ max: MAX_ADDRESSES, ttl: FORGET_AFTER_MS });

  record(address: string): void {
    this.requests.set(address, (this.requests.get(address) ?? 0) + 1);
  }

  /** Returns the addresses with the most requests, at most {@link MAX_REPORTED}. */
  list(): UntrustedForwarder[] {
    return [...this.requests.entries()]
      .map(([address, requests]) => ({ address, requests }))
      .sort((one, other) => other.requests - one.requests)
      .slice(0, MAX_REPORTED);
  }
}
