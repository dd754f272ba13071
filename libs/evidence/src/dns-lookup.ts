import { promises as dns } from 'node:dns';
import { MAX_HOST_NAMES, type Address, type DnsFault } from '#libs/agents';
import type { DnsServers } from './dns-servers.js';

export type DnsQuestion =
  { type: 'PTR'; address: Address } | { type: 'A'; hostName: string } | { type: 'AAAA'; hostName: string };

/** Query that only needs root name servers. Used to test the configured DNS servers. */
const PROBE = Symbol('neutral question');

/** Reply to a DNS query. `values` is empty if the name or record type doesn't exist. */
export type DnsReply = { values: string[]; ttlSeconds: number } | { fault: DnsFault };

const QUERY_TIMEOUT_MS = 1_000;
/** Time before a query is resent or sent to the next server, in case a packet was lost. */
const RETRY_AFTER_MS = 300;
/** Node.js doesn't report the TTL of PTR records. */
const PTR_TTL_SECONDS = 3_600;
const NEGATIVE_TTL_SECONDS = 1_800;
const MIN_TTL_SECONDS = 300;
export const MAX_TTL_SECONDS = 86_400;
/** Maximum number of addresses to return. Host names with more addresses don't belong to a single crawler. */
const MAX_ADDRESSES = 100;
const MAX_NAME_LENGTH = 253;

/**
 * Sends a DNS query. Never rejects, and settles within a second.
 *
 * Each query uses its own resolver, because `cancel` cancels all of a resolver's queries. It also uses its own timer,
 * because the resolver's timeout fires late (nodejs/node#39562, #57839, #65340).
 *
 * @param signal Cancels the query.
 */
export async function lookUp(question: DnsQuestion, servers: DnsServers, signal: AbortSignal): Promise<DnsReply> {
  return sendQuery(question, servers, signal);
}

/**
 * Returns true if the DNS servers respond. Queries the root name servers, because a visitor's name servers may be
 * unresponsive on purpose. Never rejects.
 */
export async function areDnsServersResponding(servers: DnsServers, signal: AbortSignal): Promise<boolean> {
  const reply = await sendQuery(PROBE, servers, signal);
  return !('fault' in reply) || reply.fault !== 'dns_timeout';
}

async function sendQuery(
  question: DnsQuestion | typeof PROBE,
  servers: DnsServers,
  signal: AbortSignal,
): Promise<DnsReply> {
  const resolver = new dns.Resolver({ timeout: RETRY_AFTER_MS, tries: 2 });
  const cancel = (): void => resolver.cancel();
  const timer = setTimeout(cancel, QUERY_TIMEOUT_MS);
  signal.addEventListener('abort', cancel);
  try {
    if (Array.isArray(servers)) resolver.setServers(servers);
    return await resolveQuestion(resolver, question);
  } catch (error) {
    return toReply(error as NodeJS.ErrnoException);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

async function resolveQuestion(resolver: dns.Resolver, question: DnsQuestion | typeof PROBE): Promise<DnsReply> {
  if (question === PROBE) return { values: await resolver.resolveNs('.'), ttlSeconds: NEGATIVE_TTL_SECONDS };
  if (question.type === 'PTR') {
    // Unlike `resolvePtr`, `reverse` reads the hosts file first.
    const names = await resolver.resolvePtr(reverseName(question.address));
    const values = names.map((name) => name.toLowerCase().replace(/\.$/, '')).filter(hasValidLength);
    // The extra value tells the caller that there were more.
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

const hasValidLength = ({ length }: string): boolean => length > 0 && length <= MAX_NAME_LENGTH;

/**
 * Returns the name to query for a PTR record, such as `1.2.0.192.in-addr.arpa` (RFC 1035, section 3.5) or `….ip6.arpa`
 * (RFC 3596, section 2.5).
 */
function reverseName(address: Address): string {
  return address.family === 4
    ? `${address.text.split('.').toReversed().join('.')}.in-addr.arpa`
    : `${[...address.value].toReversed().join('.')}.ip6.arpa`;
}

/** Only ENOTFOUND and ENODATA mean that no record exists (nodejs.org/api/dns.html#error-codes). */
function toReply({ code }: NodeJS.ErrnoException): DnsReply {
  if (code === 'ENOTFOUND' || code === 'ENODATA') return { values: [], ttlSeconds: NEGATIVE_TTL_SECONDS };
  return { fault: code === 'ETIMEOUT' || code === 'ECANCELLED' ? 'dns_timeout' : 'dns_error' };
}
