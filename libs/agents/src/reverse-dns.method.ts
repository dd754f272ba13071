import { parseAddress, type Address } from './address.js';
import { canRefute, type CheckTimes } from './check-times.js';
import { allOf, andThen, type Awaitable, type Dns, type DnsAnswer } from './evidence-sources.js';
import { isHostName } from './host-name.js';
import type { ReverseDnsStep } from './verification.js';
import { REVERSE_DNS_REASONS, type ReverseDnsReason } from './vocabulary.js';

/** Host names of one address that are read: its owner can publish any number of them. With more, there is no "no". */
export const MAX_HOST_NAMES = 50;
/** Those of the operator that are resolved, and those that the step shows. */
const [MAX_RESOLVED, MAX_SHOWN] = [10, 5];

/**
 * Host names that can be asked about, RFC 1123 section 2.1, and the underscores that some operators use. Others would
 * come with escapes, in which a dot may belong to a label.
 */
const LABEL = /^[a-z\d_-]+$/;

/**
 * Says by forward-confirmed reverse DNS whether an address is an operator's: the address leads to a host name under one
 * of the operator's, and that leads back to the address. Answers at once where the DNS does. What can't be had, and
 * whatever is said of a visit more than 7 days ago, is never a "no".
 *
 * @param suffixes host names, with or without a dot in front; each stands for itself and for all names under it.
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
    // Names of the operator first: a visit that is identified again has no others.
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
      // The one that couldn't be asked might have been the one.
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

/** Distinct names that can be asked about. */
function hostNames(values: readonly string[]): string[] {
  const read = values.slice(0, MAX_HOST_NAMES).map((value) => normalized(value));
  return [...new Set(read.filter((name) => isHostName(name, LABEL)))];
}

const normalized = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** At the boundary of a label: `evilgooglebot.com` isn't under `googlebot.com`. */
function isUnder(name: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => {
    const parent = normalized(suffix).replace(/^\./, '');
    return name === parent || name.endsWith(`.${parent}`);
  });
}

/** By the canonical text, which is the same exactly where the bytes are. */
function leadsTo(answer: DnsAnswer, address: Address): boolean {
  return 'values' in answer && answer.values.some((value) => parseAddress(value)?.text === address.text);
}
