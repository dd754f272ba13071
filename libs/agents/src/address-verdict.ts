import type { AddressEvidence } from './address-evidence.js';
import { parseAddress, type Address } from './address.js';
import type { AgentDefinition } from './agent.js';
import type { CheckTimes } from './check-times.js';
import { dnsOfThen, ipRangeStepOf, reverseDnsStepOf, type EarlierEvidence } from './earlier-evidence.js';
import { andThen, type Awaitable, type Dns } from './evidence-sources.js';
import { ipRange } from './ip-range.method.js';
import { reverseDns } from './reverse-dns.method.js';
import { INTERNAL_RANGES } from './special-purpose-addresses.js';
import type { IpRangeStep, ReverseDnsStep } from './verification.js';
import type { AddressOutcome, AddressReason } from './vocabulary.js';

/** What the client's address says about a claimed agent. */
export interface AddressVerdict {
  outcome: AddressOutcome;
  /** What proved or refuted the claim; `null` while nothing did. */
  method: 'ip_range' | 'reverse_dns' | null;
  reason: AddressReason;
  steps: (IpRangeStep | ReverseDnsStep)[];
}

/** What addresses are judged by beside the ranges. */
interface AddressContext {
  dns: Dns;
  times: CheckTimes;
  /** Of a visit that is judged again. */
  earlier?: EarlierEvidence | undefined;
}

/**
 * Asks the published ranges, and the DNS only when they don't hold the address. `null` for an agent that has neither.
 *
 * Either can prove the agent. Both are asked before it is refuted, and the DNS has the last word: what it says is the
 * state of now, and what it doesn't say is never a "no". Where it is switched off the ranges decide alone.
 */
export function addressEvidence(
  { id, verification: { reverse_dns_suffixes: suffixes = [], ip_list_urls: lists = [] } }: AgentDefinition,
  text: string | null,
  ranges: AddressEvidence | null,
  { dns, times, earlier }: AddressContext,
): Awaitable<AddressVerdict | null> {
  if (ranges === null && suffixes.length === 0) return null;
  const address = text === null ? null : parseAddress(text);
  if (address === null) return { outcome: 'unknown', method: null, reason: 'no_client_address', steps: [] };
  const urls = lists.map(({ url }) => url);
  const listed = ranges === null ? null : ipRangeStepOf(ipRange(address, ranges, times), id, urls, earlier);
  if (listed !== null && (listed.outcome === 'pass' || suffixes.length === 0)) return verdict(address, [listed]);
  const asked = reverseDns(address, suffixes, dnsOfThen(dns, address, earlier), times);
  return andThen(reverseDnsStepOf(asked, id, earlier), (named) =>
    verdict(address, listed === null ? [named] : [listed, named]),
  );
}

/** The last step decides, unless it can't be taken here at all. An internal address may hide anyone, so it refutes nothing. */
function verdict(address: Address, steps: (IpRangeStep | ReverseDnsStep)[]): AddressVerdict {
  const { outcome, method, reason } = steps.findLast((step) => step.reason !== 'dns_off') ?? steps.at(-1)!;
  if (outcome === 'fail' && INTERNAL_RANGES.contains(address)) {
    return { outcome: 'unknown', method: null, reason: 'address_not_public', steps };
  }
  return { outcome, method: outcome === 'unknown' ? null : method, reason, steps };
}
