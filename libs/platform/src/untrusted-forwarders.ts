import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** An address that sends `X-Forwarded-For` but isn't a trusted proxy. */
export interface UntrustedForwarder {
  address: string;
  /** Number of requests. The count resets if the address sends none for a day. */
  requests: number;
}

const MAX_ADDRESSES = 100;
const MAX_REPORTED = 3;
const RETENTION_MS = 86_400_000;

/**
 * Records which addresses sent untrusted forwarding headers in the last day. Each one is either a client that forges
 * headers, or a proxy that is missing from `TRUSTED_PROXIES`. In the latter case, all of the proxy's visitors count as
 * one. Only the operator can tell which it is.
 */
@Injectable()
export class UntrustedForwarders {
  private readonly requests = new LRUCache<string, number>({ max: MAX_ADDRESSES, ttl: RETENTION_MS });

  record(address: string): void {
    this.requests.set(address, (this.requests.get(address) ?? 0) + 1);
  }

  /** Returns up to {@link MAX_REPORTED} addresses with the most requests. */
  list(): UntrustedForwarder[] {
    return [...this.requests.entries()]
      .map(([address, requests]) => ({ address, requests }))
      .sort((one, other) => other.requests - one.requests)
      .slice(0, MAX_REPORTED);
  }
}
