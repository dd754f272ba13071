import { parseAddress, type Address } from './address.js';
import { canRefute, type CheckTimes } from './check-times.js';
import { allAwaitable, andThen, type Awaitable, type Dns, type DnsResult } from './evidence-sources.js';
import { isHostName } from './host-name.js';
import type { ReverseDnsStep } from './verification.js';
import { REVERSE_DNS_REASONS, type ReverseDnsReason } from './vocabulary.js';

/**
 * Maximum number of host names to check for an address, because its owner can publish any number. If there are more, the
 * outcome is never `fail`.
 */
export const MAX_HOST_NAMES = 50;
/** Maximum number of operator host names to resolve, and of host names to include in the step. */
const [MAX_RESOLVED_NAMES, MAX_REPORTED_NAMES] = [10, 5];

/**
 * Host name label (RFC 1123, section 2.1). Also allows the underscores that some operators use. Other characters may be
 * escape sequences that hide a dot.
 */
const LABEL = /^[a-z\d_-]+$/;

/**
 * Verifies that an address belongs to an operator, using forward-confirmed reverse DNS. The address must resolve to a
 * host name under one of the suffixes, and that name must resolve back to the address.
 *
 * Returns synchronously if the DNS client does. The outcome is never `fail` if a lookup failed, or if the DNS data was
 * fetched more than 7 days after the visit.
 *
 * @param suffixes Domains, with or without a leading dot. Each matches itself and its subdomains.
 */
export function checkReverseDns(
  address: Address,
  suffixes: readonly string[],
  dns: Dns,
  times: CheckTimes,
): Awaitable<ReverseDnsStep> {
  return andThen(dns.hostNames(address), (answer) => {
    if ('fault' in answer) return toStep(answer.fault, []);
    const allNames = parseHostNames(answer.values);
    const operatorNames = allNames.filter((name) => isUnder(name, suffixes));
    const namesToResolve = operatorNames.slice(0, MAX_RESOLVED_NAMES);
    // Operator names come first, because re-identification can only use the names stored in this step.
    const names = [...new Set([...namesToResolve, ...allNames])].slice(0, MAX_REPORTED_NAMES);
    const isTruncated = answer.values.length > MAX_HOST_NAMES || operatorNames.length > MAX_RESOLVED_NAMES;
    const toRefutation = (refutation: ReverseDnsReason, asOf = answer.asOf): ReverseDnsStep => {
      const reason = isTruncated ? 'too_many_host_names' : refutation;
      return asOf === undefined
        ? toStep(canRefute(times.at, times.now) ? reason : 'visit_too_old', names)
        : { ...toStep(canRefute(times.at, Date.parse(asOf)) ? reason : 'visit_too_old', names), judged_at: asOf };
    };
    if (allNames.length === 0) return toRefutation('no_host_name');
    if (namesToResolve.length === 0) return toRefutation('host_name_not_listed');
    return andThen(
      allAwaitable(namesToResolve.map((name) => dns.addresses(name, address.family))),
      (addressResults) => {
        const confirmedName = namesToResolve.find((_, index) => resolvesTo(addressResults[index]!, address));
        const isReplayed = addressResults.every((result) => 'values' in result && result.asOf !== undefined);
        const asOf = isReplayed ? answer.asOf : undefined;
        if (confirmedName !== undefined) {
          const confirmedStep = toStep(
            'ok',
            [...new Set([confirmedName, ...names])].slice(0, MAX_REPORTED_NAMES),
            confirmedName,
          );
          return asOf === undefined ? confirmedStep : { ...confirmedStep, judged_at: asOf };
        }
        // If a lookup failed, its name may still resolve back to the address.
        const fault = addressResults
          .map((result) => ('fault' in result ? result.fault : null))
          .find((result) => result !== null);
        return fault === undefined ? toRefutation('host_name_not_confirmed', asOf) : toStep(fault, names);
      },
    );
  });
}

function toStep(
  reason: ReverseDnsReason,
  host_names: string[],
  confirmed_host_name: string | null = null,
): ReverseDnsStep {
  return { method: 'reverse_dns', outcome: REVERSE_DNS_REASONS[reason][0], reason, host_names, confirmed_host_name };
}

function parseHostNames(values: readonly string[]): string[] {
  const normalizedNames = values.slice(0, MAX_HOST_NAMES).map((value) => normalizeHostName(value));
  return [...new Set(normalizedNames.filter((name) => isHostName(name, LABEL)))];
}

const normalizeHostName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** Compares whole labels, so `evilgooglebot.com` isn't under `googlebot.com`. */
function isUnder(name: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => {
    const parent = normalizeHostName(suffix).replace(/^\./, '');
    return name === parent || name.endsWith(`.${parent}`);
  });
}

/** Compares canonical texts, which are equal if and only if the addresses are. */
function resolvesTo(answer: DnsResult, address: Address): boolean {
  return 'values' in answer && answer.values.some((value) => parseAddress(value)?.text === address.text);
}
