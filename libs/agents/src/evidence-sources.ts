/** Ports for evidence from outside the process. Implemented by libs/evidence, replaced in tests. */
import type { Address } from './address.js';
import type { DirectoryFault, DnsFault } from './vocabulary.js';
import type { VerificationKey } from './web-bot-auth/key-set.js';

export type Awaitable<T> = T | Promise<T>;

export type KeyAnswer = { key: VerificationKey } | { fault: DirectoryFault | 'key_not_in_directory' };

/** Web Bot Auth key directories. Only those in the catalog are requested. */
export interface KeyDirectories {
  /**
   * Finds a key. Never rejects, and returns synchronously if possible.
   *
   * @param url Directory URL as returned by `directoryUrl`.
   * @param keyId RFC 7638 thumbprint.
   */
  find(url: string, keyId: string): Awaitable<KeyAnswer>;
}

/**
 * DNS response. `values` is empty if no such record exists (NXDOMAIN, or none of the type). `asOf` is the time of the
 * response (RFC 3339). Absent if it is current.
 */
export type DnsAnswer = { values: readonly string[]; asOf?: string } | { fault: DnsFault };

/** DNS lookups. They never reject, and return synchronously if possible. */
export interface Dns {
  /** Looks up PTR records. Returns lowercase host names without the trailing dot. */
  hostNames(address: Address): Awaitable<DnsAnswer>;
  /** Looks up A or AAAA records. */
  addresses(hostName: string, family: 4 | 6): Awaitable<DnsAnswer>;
}

export interface EvidenceSources {
  directories: KeyDirectories;
  dns: Dns;
}

/** Returns sources that never wait. Values that aren't cached are reported as pending, and their lookups start. */
export function cachedOnly({ directories, dns }: EvidenceSources): EvidenceSources {
  const now = <T>(answer: Awaitable<T>, pending: T): T => (answer instanceof Promise ? pending : answer);
  return {
    directories: { find: (url, keyId) => now(directories.find(url, keyId), { fault: 'directory_pending' }) },
    dns: {
      hostNames: (address) => now(dns.hostNames(address), { fault: 'dns_pending' }),
      addresses: (hostName, family) => now(dns.addresses(hostName, family), { fault: 'dns_pending' }),
    },
  };
}

/** Continues with a value, synchronously if it is available. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Returns all values, synchronously if they are available. */
export function allOf<T>(values: Awaitable<T>[]): Awaitable<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[]);
}
