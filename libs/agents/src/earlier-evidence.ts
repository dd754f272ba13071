import type { Address } from './address.js';
import { andThen, type Awaitable, type Dns, type DnsAnswer } from './evidence-sources.js';
import type { IpRangeStep, ReverseDnsStep, SignatureStep, VerificationStep } from './verification.js';
import { SIGNATURE_REASONS, type SignatureReason } from './vocabulary.js';

/**
 * Evidence from the first identification of a request. The keys, DNS records and address lists of that time may be
 * gone. So earlier results count if they can't be checked again.
 */
export interface EarlierEvidence {
  /** Claimed agent, or `null` if it was unknown. */
  agentId: string | null;
  /** When the evidence was gathered (RFC 3339, UTC). */
  at: string;
  steps: readonly VerificationStep[];
}

/** Returns whether the key is unavailable, so the signature can't be checked. */
const isKeyGone = (reason: SignatureReason): boolean =>
  reason === 'key_not_in_directory' || reason.startsWith('directory_');

/**
 * Returns the signature step that counts. If the key is gone, this is the earlier one. A signature that was verified
 * stays verified as long as its directory belongs to an agent.
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
 * Returns the address step that counts. Today's lists can always prove an agent. Otherwise, an earlier proof counts as
 * long as the agent still uses that list. Any other earlier result counts if today's lists are inconclusive.
 *
 * @param urls URLs of the agent's current lists.
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
  // Blocks that were removed from the catalog were wrong. Those of a list were right when it was fetched.
  const counts =
    then.outcome === 'pass' ? then.list_url !== null && urls.includes(then.list_url) : step.outcome === 'unknown';
  return counts ? kept(then, earlier) : step;
}

/** Returns a `Dns` that replays an earlier, conclusive result for an address. All other lookups use the current DNS. */
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

/** Returns the reverse DNS step that counts. If both are inconclusive, this is the earlier one. */
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
