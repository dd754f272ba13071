import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** An address that sends `X-Forwarded-For` and is not a trusted proxy. */
export interface UntrustedForwarder {
  address: string;
  /** Requests since the process started. */
  requests: number;
}

const MAX_ADDRESSES = 100;
const MAX_REPORTED = 3;
const FORGET_AFTER_MS = 86_400_000;

/**
 * Who sent forwarding headers that were not believed within the last day. It may be a proxy that `TRUSTED_PROXIES`
 * leaves out, and then all of its visitors count as one; or somebody who forges. Only an operator can tell.
 */
@Injectable()
export class UntrustedForwarders {
  private readonly requests = new LRUCache<string, number>({ max: MAX_ADDRESSES, ttl: FORGET_AFTER_MS });

  record(address: string): void {
    this.requests.set(address, (this.requests.get(address) ?? 0) + 1);
  }

  /** Those with the most requests, the first three. */
  list(): UntrustedForwarder[] {
    return [...this.requests.entries()]
      .map(([address, requests]) => ({ address, requests }))
      .sort((one, other) => other.requests - one.requests)
      .slice(0, MAX_REPORTED);
  }
}
