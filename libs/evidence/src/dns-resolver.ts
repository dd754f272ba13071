import { promises as dns } from 'node:dns';
import pLimit from 'p-limit';
import type { Address, Awaitable, Dns, DnsAnswer, DnsFault } from '#libs/agents';
import type { KeyValue } from '#libs/cache';
import { Circuit } from '#libs/platform';
import { DnsAnswers } from './dns-answers.js';
import { lookUp, serversAnswer, type DnsQuestion, type DnsReply } from './dns-lookup.js';
import { dnsMetrics } from './dns-metrics.js';
import type { DnsServers } from './dns-servers.js';

interface CachedDnsOptions {
  servers: DnsServers;
  /** Cache shared between processes. Keys start with `dns:`. */
  keyValue: KeyValue;
  /** Returns milliseconds since the epoch. */
  now?: () => number;
}

/** Maximum number of concurrent queries. Visitors' name servers may be slow on purpose. */
export const MAX_LOOKUPS = 50;
/** Maximum number of queued queries. If all queries time out, the last one waits for two seconds. */
export const MAX_WAITING = 100;
/** Consecutive timeouts after which the DNS servers are tested. */
const HOPELESS_AFTER = 10;

/**
 * Caching DNS client. It answers from memory, then from the shared cache, then from the DNS servers. If the servers are
 * down or the queue is full, it fails immediately.
 */
export class CachedDns implements Dns {
  private readonly servers: DnsServers;
  private readonly answers: DnsAnswers;
  private readonly circuit: Circuit;
  private readonly limit = pLimit(MAX_LOOKUPS);
  private readonly coming = new Map<string, Promise<DnsAnswer>>();
  private readonly closing = new AbortController();
  private timeoutsInARow = 0;
  private probing: Promise<void> | null = null;

  /** @throws {TypeError} if a server address is invalid. */
  constructor({ servers, keyValue, now = Date.now }: CachedDnsOptions) {
    if (Array.isArray(servers)) new dns.Resolver().setServers(servers);
    this.servers = servers;
    this.answers = new DnsAnswers(keyValue, now);
    this.circuit = new Circuit(now);
  }

  hostNames(address: Address): Awaitable<DnsAnswer> {
    return this.answer(`dns:ptr:${address.text}`, { type: 'PTR', address });
  }

  addresses(hostName: string, family: 4 | 6): Awaitable<DnsAnswer> {
    return family === 4
      ? this.answer(`dns:a:${hostName}`, { type: 'A', hostName })
      : this.answer(`dns:aaaa:${hostName}`, { type: 'AAAA', hostName });
  }

  /** Cancels all queries. Later queries fail with `dns_off`. */
  close(): void {
    this.closing.abort();
  }

  private get isOff(): boolean {
    return this.servers === 'off' || this.closing.signal.aborted;
  }

  private answer(key: string, question: DnsQuestion): Awaitable<DnsAnswer> {
    if (this.isOff) return { fault: 'dns_off' };
    const known = this.answers.getCached(key);
    if (known !== undefined) return counted('memory', known);
    const underWay = this.coming.get(key);
    if (underWay !== undefined) return underWay;
    const coming = this.find(key, question).finally(() => this.coming.delete(key));
    this.coming.set(key, coming);
    return coming;
  }

  private async find(key: string, question: DnsQuestion): Promise<DnsAnswer> {
    const shared = await this.answers.fromOthers(key);
    if (shared !== undefined) return counted('shared', shared);
    // Failures below depend on the current load, not on the question, so they aren't cached.
    if (this.limit.pendingCount >= MAX_WAITING) return refused('dns_busy');
    if (this.circuit.isOpen) {
      if (this.circuit.admits()) this.probe();
      return refused('dns_timeout');
    }
    const reply = await this.limit(() => this.ask(question));
    return reply === null ? refused(this.isOff ? 'dns_off' : 'dns_timeout') : this.answers.keep(key, reply);
  }

  /** Returns null if the servers turned out to be down, or the client was closed, in the meantime. */
  private async ask(question: DnsQuestion): Promise<DnsReply | null> {
    await this.probing;
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
    this.timeoutsInARow = isTimeout ? this.timeoutsInARow + 1 : 0;
    if (this.timeoutsInARow >= HOPELESS_AFTER) this.probe();
    counted('fault' in reply ? reply.fault : reply.values.length > 0 ? 'found' : 'nothing', reply);
  }

  /**
   * Tests the DNS servers. Visitors choose which name servers are queried, so their timeouts don't prove that ours are
   * down.
   */
  private probe(): void {
    this.probing ??= this.askNeutral().finally(() => {
      this.probing = null;
    });
  }

  private async askNeutral(): Promise<void> {
    const isAnswered = await serversAnswer(this.servers, this.closing.signal);
    if (this.isOff) return;
    this.timeoutsInARow = 0;
    if (isAnswered) this.circuit.succeeded();
    else this.circuit.failed();
    dnsMetrics.silent.set(this.circuit.isOpen ? 1 : 0);
  }
}

function counted<T>(outcome: 'memory' | 'shared' | 'found' | 'nothing' | DnsFault, result: T): T {
  dnsMetrics.lookups.inc({ outcome });
  return result;
}

const refused = (fault: DnsFault): DnsAnswer => counted(fault, { fault });
