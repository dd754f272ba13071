/** What the methods ask for outside of the process. Ports: implemented by libs/evidence, replaced in tests. */
import type { Address } from './address.js';
import type { DirectoryFault, DnsFault } from './vocabulary.js';
import type { VerificationKey } from './web-bot-auth/key-set.js';

/** A value that is at hand, or that comes. */
export type Awaitable<T> = T | Promise<T>;

export type KeyAnswer = { key: VerificationKey } | { fault: DirectoryFault | 'key_not_in_directory' };

/** Web Bot Auth key directories. Asked for directories of the catalog only. */
export interface KeyDirectories {
  /**
   * Never rejects, and answers at once where it can.
   *
   * @param url as `directoryUrl` gives it.
   * @param keyId RFC 7638 thumbprint.
   */
  find(url: string, keyId: string): Awaitable<KeyAnswer>;
}

/**
 * `values` is empty where the DNS says that there is nothing (NXDOMAIN, no record of the type). `asOf` is when it said so,
 * RFC 3339, if not now.
 */
export type DnsAnswer = { values: readonly string[]; asOf?: string } | { fault: DnsFault };

/** The Domain Name System. Neither operation ever rejects; both answer at once where they can. */
export interface Dns {
  /** PTR: host names in lower case, without the final dot. */
  hostNames(address: Address): Awaitable<DnsAnswer>;
  /** A or AAAA of a host name. */
  addresses(hostName: string, family: 4 | 6): Awaitable<DnsAnswer>;
}

export interface EvidenceSources {
  directories: KeyDirectories;
  dns: Dns;
}

/** Returns the same sources without waiting: what is not cached is pending, and its look-up starts all the same. */
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

/** Goes on with a value: at once when it is at hand. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** All values, at once when all are at hand. */
export function allOf<T>(values: Awaitable<T>[]): Awaitable<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[]);
}
