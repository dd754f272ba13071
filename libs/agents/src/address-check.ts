import type { AddressEvidence } from './address-evidence.js';
import { parseAddress, type Address } from './address.js';
import type { AgentDefinition } from './agent.js';
import type { CheckTimes } from './check-times.js';
import { replayDns, chooseIpRangeStep, chooseReverseDnsStep, type EarlierEvidence } from './earlier-evidence.js';
import { andThen, type Awaitable, type Dns } from './evidence-sources.js';
import { checkIpRange } from './ip-range.method.js';
import { checkReverseDns } from './reverse-dns.method.js';
import { INTERNAL_RANGES } from './special-purpose-addresses.js';
import type { IpRangeStep, ReverseDnsStep } from './verification.js';
import type { AddressOutcome, AddressReason } from './vocabulary.js';

/** Result of checking a client address against the agent that the visitor claims to be. */
export interface AddressVerdict {
  outcome: AddressOutcome;
  /** Method that confirmed or refuted the claim, or `null` if the outcome is unknown. */
  method: 'ip_range' | 'reverse_dns' | null;
  reason: AddressReason;
  steps: (IpRangeStep | ReverseDnsStep)[];
}

interface AddressContext {
  dns: Dns;
  times: CheckTimes;
  /** Evidence from the previous identification, if the visit is being identified again. */
  earlier?: EarlierEvidence | undefined;
}

/**
 * Checks a client address against the agent's published ranges, then with reverse DNS if the ranges don't contain it.
 * Returns `null` if the agent supports neither method.
 *
 * Either method can confirm the agent. Only reverse DNS can refute it if both are available, because DNS is always
 * current. A failed DNS query never refutes a claim. If DNS is turned off, the ranges decide.
 */
export function checkAddress(
  { id, verification: { reverse_dns_suffixes: suffixes = [], ip_list_urls: lists = [] } }: AgentDefinition,
  text: string | null,
  ranges: AddressEvidence | null,
  { dns, times, earlier }: AddressContext,
): Awaitable<AddressVerdict | null> {
  if (ranges === null && suffixes.length === 0) return null;
  const address = text === null ? null : parseAddress(text);
  if (address === null) return { outcome: 'unknown', method: null, reason: 'no_client_address', steps: [] };
  const urls = lists.map(({ url }) => url);
  const ipRangeStep =
    ranges === null ? null : chooseIpRangeStep(checkIpRange(address, ranges, times), id, urls, earlier);
  if (ipRangeStep !== null && (ipRangeStep.outcome === 'pass' || suffixes.length === 0))
    return toVerdict(address, [ipRangeStep]);
  const dnsStep = checkReverseDns(address, suffixes, replayDns(dns, address, earlier), times);
  return andThen(chooseReverseDnsStep(dnsStep, id, earlier), (reverseDnsStep) =>
    toVerdict(address, ipRangeStep === null ? [reverseDnsStep] : [ipRangeStep, reverseDnsStep]),
  );
}

/**
 * Returns the last step's outcome, ignoring DNS if it is turned off. An internal address can't refute a claim, because
 * it could be anyone's.
 */
function toVerdict(address: Address, steps: (IpRangeStep | ReverseDnsStep)[]): AddressVerdict {
  const { outcome, method, reason } = steps.findLast((step) => step.reason !== 'dns_off') ?? steps.at(-1)!;
  if (outcome === 'fail' && INTERNAL_RANGES.contains(address)) {
    return { outcome: 'unknown', method: null, reason: 'address_not_public', steps };
  }
  return { outcome, method: outcome === 'unknown' ? null : method, reason, steps };
}
