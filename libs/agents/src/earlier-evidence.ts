import type { Address } from './address.js';
import { andThen, type Awaitable, type Dns, type DnsResult } from './evidence-sources.js';
import type { IpRangeStep, ReverseDnsStep, SignatureStep, VerificationStep } from './verification.js';
import { SIGNATURE_REASONS, type SignatureReason } from './vocabulary.js';

/**
 * Evidence from a request's first identification. It is reused for checks that can't be repeated, because the keys, DNS
 * records and address lists may no longer exist.
 */
export interface EarlierEvidence {
  /** Agent that the request claimed to be from, or `null` if it was unknown. */
  agentId: string | null;
  /** Time at which the evidence was collected (RFC 3339, UTC). */
  at: string;
  steps: readonly VerificationStep[];
}

/** Returns true if the signature can't be checked because its key is unavailable. */
const isKeyUnavailable = (reason: SignatureReason): boolean =>
  reason === 'key_not_in_directory' || reason.startsWith('directory_');

/**
 * Chooses between the current and the earlier signature step. The earlier step wins if the key is no longer available.
 * A signature that was verified before remains verified as long as its directory belongs to an agent.
 */
export function chooseSignatureStep(step: SignatureStep, earlier: EarlierEvidence | undefined): SignatureStep {
  if (earlier === undefined || step.outcome === 'verified' || step.agent_token === null) return step;
  const earlierStep = earlier.steps.find(
    (candidate) =>
      candidate.method === 'http_message_signature' &&
      candidate.label === step.label &&
      candidate.key_id === step.key_id &&
      candidate.directory_url === step.directory_url,
  ) as SignatureStep | undefined;
  if (earlierStep === undefined) return step;
  const usesEarlierStep =
    earlierStep.outcome === 'verified' ||
    (isKeyUnavailable(step.reason) &&
      (earlierStep.outcome === 'invalid' || SIGNATURE_REASONS[step.reason][0] === earlierStep.outcome));
  return usesEarlierStep ? { ...toReusedStep(earlierStep, earlier), agent_token: step.agent_token } : step;
}

/**
 * Chooses between the current and the earlier address step. The current step wins if it passes. Otherwise, an earlier
 * pass wins as long as the agent still uses the list. Any other earlier outcome wins if the current one is unknown.
 *
 * @param urls URLs of the agent's current lists.
 */
export function chooseIpRangeStep(
  step: IpRangeStep,
  agentId: string,
  urls: readonly string[],
  earlier: EarlierEvidence | undefined,
): IpRangeStep {
  if (earlier === undefined || earlier.agentId !== agentId || step.outcome === 'pass') return step;
  const earlierStep = earlier.steps.find(({ method }) => method === 'ip_range') as IpRangeStep | undefined;
  if (earlierStep === undefined) return step;
  // An earlier match with a published list remains valid, because the list was right when it was fetched. An earlier
  // match with the catalog's own ranges doesn't, because these are only removed if they were wrong.
  const usesEarlierStep =
    earlierStep.outcome === 'pass'
      ? earlierStep.list_url !== null && urls.includes(earlierStep.list_url)
      : step.outcome === 'unknown';
  return usesEarlierStep ? toReusedStep(earlierStep, earlier) : step;
}

/** Returns a `Dns` that replays an address's earlier, conclusive lookups. All other lookups use the current DNS. */
export function replayDns(dns: Dns, address: Address, earlier: EarlierEvidence | undefined): Dns {
  const earlierStep = earlier?.steps.find(({ method }) => method === 'reverse_dns') as ReverseDnsStep | undefined;
  if (earlier === undefined || earlierStep === undefined || earlierStep.outcome === 'unknown') return dns;
  const asOf = earlierStep.judged_at ?? earlier.at;
  const toDnsAnswer = (values: readonly string[]): DnsResult => ({ values, asOf });
  return {
    hostNames: () => toDnsAnswer(earlierStep.host_names),
    addresses: (name, family) => {
      if (name === earlierStep.confirmed_host_name) return toDnsAnswer([address.text]);
      return earlierStep.reason === 'host_name_not_confirmed' ? toDnsAnswer([]) : dns.addresses(name, family);
    },
  };
}

/** Chooses between the current and the earlier reverse DNS step. The earlier step wins if both are inconclusive. */
export function chooseReverseDnsStep(
  step: Awaitable<ReverseDnsStep>,
  agentId: string,
  earlier: EarlierEvidence | undefined,
): Awaitable<ReverseDnsStep> {
  if (earlier === undefined || earlier.agentId !== agentId) return step;
  const earlierStep = earlier.steps.find(({ method }) => method === 'reverse_dns') as ReverseDnsStep | undefined;
  if (earlierStep === undefined) return step;
  return andThen(step, (now) =>
    now.outcome === 'unknown' && earlierStep.outcome === 'unknown' ? toReusedStep(earlierStep, earlier) : now,
  );
}

const toReusedStep = <T extends VerificationStep>(step: T, { at }: EarlierEvidence): T => ({
  ...step,
  judged_at: step.judged_at ?? at,
});
