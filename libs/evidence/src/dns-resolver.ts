import { promises as dns } from 'node:dns';
import pLimit from 'p-limit';
import type { Address, Awaitable, Dns, DnsResult, DnsFault } from '#libs/agents';
import type { KeyValueStore } from '#libs/cache';
import { CircuitBreaker } from '#libs/platform';
import { DnsAnswerCache } from './dns-answer-cache.js';
import { lookUp, areDnsServersResponding, type DnsQuestion, type DnsReply } from './dns-lookup.js';
import { dnsMetrics } from './dns-metrics.js';
import type { DnsServers } from './dns-servers.js';

interface CachedDnsOptions {
  servers: DnsServers;
  /** Cache shared between processes. All keys start with `dns:`. */
  keyValue: KeyValueStore;
  /** Returns the current time in milliseconds since the epoch. */
  now?: () => number;
}

/** Maximum number of concurrent queries. Without a limit, visitors could tie up the resolver with slow name servers. */
export const MAX_CONCURRENT_LOOKUPS = 50;
/** Maximum number of queued queries. If every query times out, the last one waits for two seconds. */
export const MAX_QUEUED_LOOKUPS = 100;
/** Number of consecutive timeouts that triggers a probe of the DNS servers. */
const MAX_CONSECUTIVE_TIMEOUTS = 10;

/**
 * Caching DNS client. Checks process memory, then the shared cache, then the DNS servers. Lookups fail immediately if
 * the servers are down or the queue is full.
 */
export class CachedDns implements Dns {
  private readonly servers: DnsServers;
  private readonly answers: DnsAnswerCache;
  private readonly circuit: CircuitBreaker;
  private readonly limit = pLimit(MAX_CONCURRENT_LOOKUPS);
  private readonly inFlightLookups = new Map<string, Promise<DnsResult>>();
  private readonly closing = new AbortController();
  private consecutiveTimeouts = 0;
  private probePromise: Promise<void> | null = null;

  /** @throws {TypeError} if a server address is invalid. */
  constructor({ servers, keyValue, now = Date.now }: CachedDnsOptions) {
    if (Array.isArray(servers)) new dns.Resolver().setServers(servers);
    this.servers = servers;
    this.answers = new DnsAnswerCache(keyValue, now);
    this.circuit = new CircuitBreaker(now);
  }

  hostNames(address: Address): Awaitable<DnsResult> {
    return this.lookUpCached(`dns:ptr:${address.text}`, { type: 'PTR', address });
  }

  addresses(hostName: string, family: 4 | 6): Awaitable<DnsResult> {
    return family === 4
      ? this.lookUpCached(`dns:a:${hostName}`, { type: 'A', hostName })
      : this.lookUpCached(`dns:aaaa:${hostName}`, { type: 'AAAA', hostName });
  }

  /** Cancels all queries. Subsequent lookups fail with `dns_off`. */
  close(): void {
    this.closing.abort();
  }

  private get isOff(): boolean {
    return this.servers === 'off' || this.closing.signal.aborted;
  }

  private lookUpCached(key: string, question: DnsQuestion): Awaitable<DnsResult> {
    if (this.isOff) return { fault: 'dns_off' };
    const cached = this.answers.getCached(key);
    if (cached !== undefined) return countLookup('memory', cached);
    const inFlight = this.inFlightLookups.get(key);
    if (inFlight !== undefined) return inFlight;
    const lookup = this.lookUpUncached(key, question).finally(() => this.inFlightLookups.delete(key));
    this.inFlightLookups.set(key, lookup);
    return lookup;
  }

  private async lookUpUncached(key: string, question: DnsQuestion): Promise<DnsResult> {
    const shared = await this.answers.getShared(key);
    if (shared !== undefined) return countLookup('shared', shared);
    // The failures below depend on the current load rather than the query, so they aren't cached.
    if (this.limit.pendingCount >= MAX_QUEUED_LOOKUPS) return failWith('dns_busy');
    if (this.circuit.isOpen) {
      if (this.circuit.tryAcquire()) this.probe();
      return failWith('dns_timeout');
    }
    const reply = await this.limit(() => this.query(question));
    return reply === null ? failWith(this.isOff ? 'dns_off' : 'dns_timeout') : this.answers.store(key, reply);
  }

  /** Returns null if the servers were found to be down or the client was closed in the meantime. */
  private async query(question: DnsQuestion): Promise<DnsReply | null> {
    await this.probePromise;
    if (this.isOff || this.circuit.isOpen) return null;
    dnsMetrics.inFlight.inc();
    const reply = await lookUp(question, this.servers, this.closing.signal);
    dnsMetrics.inFlight.dec();
    if (this.isOff) return null;
    this.record(reply);
    return reply;
  }

  private record(reply: DnsReply): void {
    const isTimeout = 'fault' in reply && reply.fault === 'dns_timeout';
    this.consecutiveTimeouts = isTimeout ? this.consecutiveTimeouts + 1 : 0;
    if (this.consecutiveTimeouts >= MAX_CONSECUTIVE_TIMEOUTS) this.probe();
    countLookup('fault' in reply ? reply.fault : reply.values.length > 0 ? 'found' : 'nothing', reply);
  }

  /**
   * Tests the configured DNS servers. Timeouts alone don't prove that they're down, because visitors can make this
   * service query slow name servers.
   */
  private probe(): void {
    this.probePromise ??= this.runProbe().finally(() => {
      this.probePromise = null;
    });
  }

  private async runProbe(): Promise<void> {
    const isResponding = await areDnsServersResponding(this.servers, this.closing.signal);
    if (this.isOff) return;
    this.consecutiveTimeouts = 0;
    if (isResponding) this.circuit.recordSuccess();
    else this.circuit.recordFailure();
    dnsMetrics.silent.set(this.circuit.isOpen ? 1 : 0);
  }
}

function countLookup<T>(outcome: 'memory' | 'shared' | 'found' | 'nothing' | DnsFault, result: T): T {
  dnsMetrics.lookups.inc({ outcome });
  return result;
}

const failWith = (fault: DnsFault): DnsResult => countLookup(fault, { fault });
