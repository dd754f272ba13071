import { parseAddress, type Address } from './address.js';
import { canRefute, type CheckTimes } from './check-times.js';
import { allOf, andThen, type Awaitable, type Dns, type DnsAnswer } from './evidence-sources.js';
import { isHostName } from './host-name.js';
import type { ReverseDnsStep } from './verification.js';
import { REVERSE_DNS_REASONS, type ReverseDnsReason } from './vocabulary.js';

/**
 * Maximum number of host names to read for an address, because its owner can publish any number. If there are more, the
 * result is never `fail`.
 */
export const MAX_HOST_NAMES = 50;
/** Maximum number of operator host names to resolve, and of host names to show in the step. */
const [MAX_RESOLVED, MAX_SHOWN] = [10, 5];

/**
 * Label of a host name (RFC 1123, section 2.1), including the underscores that some operators use. Other names contain
 * escapes, in which a dot may be part of a label.
 */
const LABEL = /^[a-z\d_-]+$/;

/**
 * Verifies by forward-confirmed reverse DNS that an address belongs to an operator. The address must resolve to a host
 * name under one of the suffixes, and that name must resolve back to the address.
 *
 * Returns synchronously if the DNS client does. The result is never `fail` if a lookup failed, or if the DNS data is
 * from more than 7 days after the visit.
 *
 * @param suffixes Host names, with or without a leading dot. Each matches itself and all names under it.
 */
export function reverseDns(
  address: Address,
  suffixes: readonly string[],
  dns: Dns,
  times: CheckTimes,
): Awaitable<ReverseDnsStep> {
  return andThen(dns.hostNames(address), (answer) => {
    if ('fault' in answer) return step(answer.fault, []);
    const all = hostNames(answer.values);
    const ofOperator = all.filter((name) => isUnder(name, suffixes));
    const listed = ofOperator.slice(0, MAX_RESOLVED);
    // Operator names come first, because re-identification only has the names stored in this step.
    const names = [...new Set([...listed, ...all])].slice(0, MAX_SHOWN);
    const isCut = answer.values.length > MAX_HOST_NAMES || ofOperator.length > MAX_RESOLVED;
    const no = (refutation: ReverseDnsReason, asOf = answer.asOf): ReverseDnsStep => {
      const reason = isCut ? 'too_many_host_names' : refutation;
      return asOf === undefined
        ? step(canRefute(times.at, times.now) ? reason : 'visit_too_old', names)
        : { ...step(canRefute(times.at, Date.parse(asOf)) ? reason : 'visit_too_old', names), judged_at: asOf };
    };
    if (all.length === 0) return no('no_host_name');
    if (listed.length === 0) return no('host_name_not_listed');
    return andThen(allOf(listed.map((name) => dns.addresses(name, address.family))), (answers) => {
      const confirmed = listed.find((_, index) => leadsTo(answers[index]!, address));
      const isOfThen = answers.every((each) => 'values' in each && each.asOf !== undefined);
      const asOf = isOfThen ? answer.asOf : undefined;
      if (confirmed !== undefined) {
        const found = step('ok', [...new Set([confirmed, ...names])].slice(0, MAX_SHOWN), confirmed);
        return asOf === undefined ? found : { ...found, judged_at: asOf };
      }
      // A name whose lookup failed may resolve back to the address.
      const fault = answers.map((each) => ('fault' in each ? each.fault : null)).find((each) => each !== null);
      return fault === undefined ? no('host_name_not_confirmed', asOf) : step(fault, names);
    });
  });
}

function step(
  reason: ReverseDnsReason,
  host_names: string[],
  confirmed_host_name: string | null = null,
): ReverseDnsStep {
  return { method: 'reverse_dns', outcome: REVERSE_DNS_REASONS[reason][0], reason, host_names, confirmed_host_name };
}

function hostNames(values: readonly string[]): string[] {
  const read = values.slice(0, MAX_HOST_NAMES).map((value) => normalized(value));
  return [...new Set(read.filter((name) => isHostName(name, LABEL)))];
}

const normalized = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** Compares whole labels: `evilgooglebot.com` isn't under `googlebot.com`. */
function isUnder(name: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => {
    const parent = normalized(suffix).replace(/^\./, '');
    return name === parent || name.endsWith(`.${parent}`);
  });
}

/** Compares the canonical texts, which are equal exactly if the bytes are. */
function leadsTo(answer: DnsAnswer, address: Address): boolean {
  return 'values' in answer && answer.values.some((value) => parseAddress(value)?.text === address.text);
}
