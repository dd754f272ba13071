/** Ports for external evidence. Implemented by libs/evidence and replaced in tests. */
import type { Address } from './address.js';
import type { DirectoryFault, DnsFault } from './vocabulary.js';
import type { KeySet, VerificationKey } from './web-bot-auth/verification-key.js';

export type Awaitable<T> = T | Promise<T>;

export type KeyResult = { key: VerificationKey } | { fault: DirectoryFault | 'key_not_in_directory' };

/** Web Bot Auth key directories. Only directories in the catalog may be fetched. */
export interface KeyDirectories {
  /**
   * Finds a key. Never rejects. Returns synchronously if possible.
   *
   * @param url Normalized directory URL.
   * @param keyId RFC 7638 thumbprint.
   */
  find(url: string, keyId: string): Awaitable<KeyResult>;
  /**
   * Returns the usable key sets that are cached, by directory URL. Never fetches a directory. Absent if nothing is
   * cached.
   */
  listCached?(urls: Iterable<string>): Promise<ReadonlyMap<string, KeySet>>;
}

/**
 * DNS response. `values` is empty if no matching record exists (NXDOMAIN or NODATA). `asOf` is the time of the response
 * (RFC 3339), or undefined if the response is current.
 */
export type DnsResult = { values: readonly string[]; asOf?: string } | { fault: DnsFault };

/** DNS lookups. They never reject. They return synchronously if possible. */
export interface Dns {
  /** Looks up PTR records. Returns lowercase host names without the trailing dot. */
  hostNames(address: Address): Awaitable<DnsResult>;
  /** Looks up A or AAAA records. */
  addresses(hostName: string, family: 4 | 6): Awaitable<DnsResult>;
}

export interface EvidenceSources {
  directories: KeyDirectories;
  dns: Dns;
}

/** Wraps sources so that they never wait. A value that isn't cached is reported as pending, but its lookup starts. */
export function cachedOnly({ directories, dns }: EvidenceSources): EvidenceSources {
  const nowOrPending = <T>(result: Awaitable<T>, pending: T): T => (result instanceof Promise ? pending : result);
  return {
    directories: { find: (url, keyId) => nowOrPending(directories.find(url, keyId), { fault: 'directory_pending' }) },
    dns: {
      hostNames: (address) => nowOrPending(dns.hostNames(address), { fault: 'dns_pending' }),
      addresses: (hostName, family) => nowOrPending(dns.addresses(hostName, family), { fault: 'dns_pending' }),
    },
  };
}

/** Like `value.then(next)`, but synchronous if the value is available. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Like `Promise.all`, but synchronous if all values are available. */
export function allAwaitable<T>(values: Awaitable<T>[]): Awaitable<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[]);
}
