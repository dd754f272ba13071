import type { Address } from './address.js';
import { andThen, type Awaitable, type Dns, type DnsAnswer } from './evidence-sources.js';
import type { IpRangeStep, ReverseDnsStep, SignatureStep, VerificationStep } from './verification.js';
import { SIGNATURE_REASONS, type SignatureReason } from './vocabulary.js';

/**
 * What was found out when a request was first identified. Keys, DNS records and address lists of that time may be gone, so
 * what they said then counts where nobody can ask again.
 */
export interface EarlierEvidence {
  /** The agent that was named; `null` for an unknown one. */
  agentId: string | null;
  /** When it was found out: RFC 3339, UTC. */
  at: string;
  steps: readonly VerificationStep[];
}

/** Of a signature there is nothing to judge without its key. */
const isKeyGone = (reason: SignatureReason): boolean =>
  reason === 'key_not_in_directory' || reason.startsWith('directory_');

/**
 * Returns the step of a signature that counts: the earlier one where the key is gone. A signature that was good stays so,
 * as long as its directory is that of an agent.
 */
export function signatureStepOf(step: SignatureStep, earlier: EarlierEvidence | undefined): SignatureStep {
  if (earlier === undefined || step.outcome === 'verified' || step.agent_token === null) return step;
  const then = earlier.steps.find(
    (each) =>
      each.method === 'http_message_signature' &&
      each.label === step.label &&
      each.key_id === step.key_id &&
      each.directory_url === step.directory_url,
  ) as SignatureStep | undefined;
  if (then === undefined) return step;
  const counts =
    then.outcome === 'verified' ||
    (isKeyGone(step.reason) && (then.outcome === 'invalid' || SIGNATURE_REASONS[step.reason][0] === then.outcome));
  return counts ? { ...kept(then, earlier), agent_token: step.agent_token } : step;
}

/**
 * Returns the step of published addresses that counts. Today's lists can only say "yes" of visits of long ago; what the
 * agent's lists said at the time stands unless they say "yes" now, or can still say "no" to what was open or refuted.
 *
 * @param urls of the agent's lists today.
 */
export function ipRangeStepOf(
  step: IpRangeStep,
  agentId: string,
  urls: readonly string[],
  earlier: EarlierEvidence | undefined,
): IpRangeStep {
  if (earlier === undefined || earlier.agentId !== agentId || step.outcome === 'pass') return step;
  const then = earlier.steps.find(({ method }) => method === 'ip_range') as IpRangeStep | undefined;
  if (then === undefined) return step;
  // Blocks of the catalog itself that are gone were wrong; those of a list were right when it was fetched.
  const counts =
    then.outcome === 'pass' ? then.list_url !== null && urls.includes(then.list_url) : step.outcome === 'unknown';
  return counts ? kept(then, earlier) : step;
}

/** Returns a DNS that answers for an address as it did then, where it did; else as it does now. */
export function dnsOfThen(dns: Dns, address: Address, earlier: EarlierEvidence | undefined): Dns {
  const then = earlier?.steps.find(({ method }) => method === 'reverse_dns') as ReverseDnsStep | undefined;
  if (earlier === undefined || then === undefined || then.outcome === 'unknown') return dns;
  const asOf = then.judged_at ?? earlier.at;
  const answer = (values: readonly string[]): DnsAnswer => ({ values, asOf });
  return {
    hostNames: () => answer(then.host_names),
    addresses: (name, family) => {
      if (name === then.confirmed_host_name) return answer([address.text]);
      return then.reason === 'host_name_not_confirmed' ? answer([]) : dns.addresses(name, family);
    },
  };
}

/** Returns the step of reverse DNS that counts: where both are open, nothing is known now that was not known then. */
export function reverseDnsStepOf(
  step: Awaitable<ReverseDnsStep>,
  agentId: string,
  earlier: EarlierEvidence | undefined,
): Awaitable<ReverseDnsStep> {
  if (earlier === undefined || earlier.agentId !== agentId) return step;
  const then = earlier.steps.find(({ method }) => method === 'reverse_dns') as ReverseDnsStep | undefined;
  if (then === undefined) return step;
  return andThen(step, (now) => (now.outcome === 'unknown' && then.outcome === 'unknown' ? kept(then, earlier) : now));
}

const kept = <T extends VerificationStep>(step: T, { at }: EarlierEvidence): T => ({
  ...step,
  judged_at: step.judged_at ?? at,
});
