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
  /** Shared by the processes; keys start with `dns:`. */
  keyValue: KeyValue;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Questions that servers are asked at once. A visitor's own name servers may be slow on purpose. */
export const MAX_LOOKUPS = 50;
/** Questions that wait for their turn: two seconds' worth if all others time out. */
export const MAX_WAITING = 100;
/** Time-outs in a row, without any answer between them, after which it is found out whether servers are away. */
const HOPELESS_AFTER = 10;

/**
 * The DNS, remembered: an answer is had at once from memory, else from what another process found out, else from the
 * servers. Nobody waits for servers that don't answer anybody, or behind a long queue; that is a fault of its own.
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

  /** @throws {TypeError} when a server's address can't be read. */
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

  /** Gives up whatever is under way; from now on it is off. */
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
    // What follows from the state of things, not from the question, is not kept.
    if (this.limit.pendingCount >= MAX_WAITING) return refused('dns_busy');
    if (this.circuit.isOpen) {
      if (this.circuit.admits()) this.probe();
      return refused('dns_timeout');
    }
    const reply = await this.limit(() => this.ask(question));
    return reply === null ? refused(this.isOff ? 'dns_off' : 'dns_timeout') : this.answers.keep(key, reply);
  }

  /** Null where it turned out to be no use while the question waited for its turn, or was under way. */
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

  /** Visitors decide whose name servers are asked, so their silence alone says nothing about ours. */
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
