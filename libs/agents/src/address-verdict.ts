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

/** Result of checking the client address against a claimed agent. */
export interface AddressVerdict {
  outcome: AddressOutcome;
  /** Method that proved or refuted the claim, or `null` if the outcome is unknown. */
  method: 'ip_range' | 'reverse_dns' | null;
  reason: AddressReason;
  steps: (IpRangeStep | ReverseDnsStep)[];
}

interface AddressContext {
  dns: Dns;
  times: CheckTimes;
  /** Evidence from an earlier identification, if the visit is identified again. */
  earlier?: EarlierEvidence | undefined;
}

/**
 * Checks a client address against the published ranges. If they don't contain it, continues with reverse DNS. Returns
 * `null` if the agent has neither.
 *
 * Either method can prove the agent. If the ranges don't, reverse DNS decides, because it reflects the current state. A
 * failed DNS query never refutes a claim. If DNS is turned off, the ranges decide.
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

/**
 * Returns the outcome of the last step, ignoring DNS if it is turned off. An internal address may belong to anyone, so
 * it refutes nothing.
 */
function verdict(address: Address, steps: (IpRangeStep | ReverseDnsStep)[]): AddressVerdict {
  const { outcome, method, reason } = steps.findLast((step) => step.reason !== 'dns_off') ?? steps.at(-1)!;
  if (outcome === 'fail' && INTERNAL_RANGES.contains(address)) {
    return { outcome: 'unknown', method: null, reason: 'address_not_public', steps };
  }
  return { outcome, method: outcome === 'unknown' ? null : method, reason, steps };
}
