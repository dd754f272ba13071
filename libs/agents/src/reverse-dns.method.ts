import { parseAddress, type Address } from './address.js';
import { canRefute, type CheckTimes } from './check-times.js';
import { allOf, andThen, type Awaitable, type Dns, type DnsAnswer } from './evidence-sources.js';
import { isHostName } from './host-name.js';
import type { ReverseDnsStep } from './verification.js';
import { REVERSE_DNS_REASONS, type ReverseDnsReason } from './vocabulary.js';

/** Host names of one address that are looked at: the owner of the address can publish any number of them. */
export const MAX_HOST_NAMES = 5;

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
    const names = hostNames(answer.values);
    const no = (reason: ReverseDnsReason, asOf = answer.asOf): ReverseDnsStep =>
      asOf === undefined
        ? step(canRefute(times.at, times.now) ? reason : 'visit_too_old', names)
        : { ...step(canRefute(times.at, Date.parse(asOf)) ? reason : 'visit_too_old', names), judged_at: asOf };
    if (names.length === 0) return no('no_host_name');
    const listed = names.filter((name) => isUnder(name, suffixes));
    if (listed.length === 0) return no('host_name_not_listed');
    return andThen(allOf(listed.map((name) => dns.addresses(name, address.family))), (answers) => {
      const confirmed = listed.find((_, index) => leadsTo(answers[index]!, address));
      const isOfThen = answers.every((each) => 'values' in each && each.asOf !== undefined);
      const asOf = isOfThen ? answer.asOf : undefined;
      if (confirmed !== undefined) {
        const found = step('ok', names, confirmed);
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

/** Distinct names that can be asked about, the first few of them. */
function hostNames(values: readonly string[]): string[] {
  const names = values.map((value) => normalized(value)).filter((name) => isHostName(name, LABEL));
  return [...new Set(names)].slice(0, MAX_HOST_NAMES);
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
