import { promises as dns } from 'node:dns';
import { MAX_HOST_NAMES, type Address, type DnsFault } from '#libs/agents';
import type { DnsServers } from './dns-servers.js';

export type DnsQuestion =
  { type: 'PTR'; address: Address } | { type: 'A'; hostName: string } | { type: 'AAAA'; hostName: string };

/** Nobody's name servers but the root's have to answer it, so it tells whether ours do. */
const NEUTRAL = Symbol('neutral question');

/** What the servers say; `values` is empty where they say that there is nothing. */
export type DnsReply =
  { values: string[]; /** Seconds for which it holds. */ ttlSeconds: number } | { fault: DnsFault };

/** Milliseconds for an answer. */
const ANSWER_TIMEOUT_MS = 1_000;
/** Milliseconds after which the next server, or the same one again, is asked: a datagram may get lost. */
const RETRY_AFTER_MS = 300;
/** Seconds. Node doesn't tell the time to live of a PTR record. */
const PTR_TTL_SECONDS = 3_600;
const NOTHING_TTL_SECONDS = 1_800;
const MIN_TTL_SECONDS = 300;
export const MAX_TTL_SECONDS = 86_400;
/** An operator's host name may have many addresses; a name of more than this isn't one crawler's. */
const MAX_ADDRESSES = 100;
const LONGEST_NAME = 253;

/**
 * Asks the DNS a single question. Never rejects, and takes no longer than a second.
 *
 * Every question has a resolver of its own (20 µs), because `cancel` ends all that its resolver is asking, and a timer
 * of its own, because the resolver's is late (nodejs/node issues 39562, 57839, 65340).
 *
 * @param signal gives the question up.
 */
export async function lookUp(question: DnsQuestion, servers: DnsServers, signal: AbortSignal): Promise<DnsReply> {
  return ask(question, servers, signal);
}

/** Whether servers answer anything at all: those of a visitor's own address may be silent on purpose. Never rejects. */
export async function serversAnswer(servers: DnsServers, signal: AbortSignal): Promise<boolean> {
  const reply = await ask(NEUTRAL, servers, signal);
  return !('fault' in reply) || reply.fault !== 'dns_timeout';
}

async function ask(
  question: DnsQuestion | typeof NEUTRAL,
  servers: DnsServers,
  signal: AbortSignal,
): Promise<DnsReply> {
  const resolver = new dns.Resolver({ timeout: RETRY_AFTER_MS, tries: 2 });
  const cancel = (): void => resolver.cancel();
  const timer = setTimeout(cancel, ANSWER_TIMEOUT_MS);
  signal.addEventListener('abort', cancel);
  try {
    if (Array.isArray(servers)) resolver.setServers(servers);
    return await asked(resolver, question);
  } catch (error) {
    return replyOf(error as NodeJS.ErrnoException);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

async function asked(resolver: dns.Resolver, question: DnsQuestion | typeof NEUTRAL): Promise<DnsReply> {
  if (question === NEUTRAL) return { values: await resolver.resolveNs('.'), ttlSeconds: NOTHING_TTL_SECONDS };
  if (question.type === 'PTR') {
    // Not `reverse`, which looks into the hosts file first.
    const names = await resolver.resolvePtr(reverseName(question.address));
    const values = names.map((name) => name.toLowerCase().replace(/\.$/, '')).filter(isOfLength);
    // One more than are read shows that there are more.
    return { values: values.slice(0, MAX_HOST_NAMES + 1), ttlSeconds: PTR_TTL_SECONDS };
  }
  const { hostName } = question;
  const options = { ttl: true } as const;
  const records = await (question.type === 'A'
    ? resolver.resolve4(hostName, options)
    : resolver.resolve6(hostName, options));
  const values = records.map(({ address }) => address).slice(0, MAX_ADDRESSES);
  const ttlSeconds = Math.min(...records.map((record) => record.ttl));
  return { values, ttlSeconds: Math.min(Math.max(ttlSeconds, MIN_TTL_SECONDS), MAX_TTL_SECONDS) };
}

const isOfLength = ({ length }: string): boolean => length > 0 && length <= LONGEST_NAME;

/** `1.2.0.192.in-addr.arpa` (RFC 1035 section 3.5), or the nibbles of IPv6 (RFC 3596 section 2.5). */
function reverseName(address: Address): string {
  return address.family === 4
    ? `${address.text.split('.').toReversed().join('.')}.in-addr.arpa`
    : `${[...address.value].toReversed().join('.')}.ip6.arpa`;
}

/** Only NXDOMAIN, and no record of the type, mean that there is nothing. Codes: nodejs.org/api/dns.html#error-codes. */
function replyOf({ code }: NodeJS.ErrnoException): DnsReply {
  if (code === 'ENOTFOUND' || code === 'ENODATA') return { values: [], ttlSeconds: NOTHING_TTL_SECONDS };
  return { fault: code === 'ETIMEOUT' || code === 'ECANCELLED' ? 'dns_timeout' : 'dns_error' };
}
