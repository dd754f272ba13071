import type { AgentDefinition } from '../agent.js';
import { allAwaitable, andThen, type Awaitable } from '../evidence-sources.js';
import type { HeaderMap } from '../headers.js';
import type { ObservedRequest } from '../observed-request.js';
import type { SignatureStep } from '../verification.js';
import type { SignatureOutcome, SignatureReason } from '../vocabulary.js';
import { REDACTED } from '../credential-text.js';
import { SignatureVerifier, type VerifiedSignature, type WebBotAuthContext } from './signature-verifier.js';
import { parseSignatureFields, WEB_BOT_AUTH_TAG } from './signature-fields.js';

export interface WebBotAuthVerdict {
  /** Outcome for the best signature label, which also determines the reason and the agent. */
  outcome: SignatureOutcome | 'not_applicable';
  reason: SignatureReason;
  agent: AgentDefinition | null;
  steps: readonly SignatureStep[];
}

/**
 * Verifies a request's Web Bot Auth signatures (draft-ietf-webbotauth-httpsig-protocol-01, based on RFC 9421).
 *
 * Never throws. Returns synchronously if the key directories do. Only fetches directories of agents in the catalog.
 * The number and size of labels, components and candidates are limited, so the cost is bounded for any headers.
 */
export function verifyWebBotAuth(request: ObservedRequest, context: WebBotAuthContext): Awaitable<WebBotAuthVerdict> {
  const { headers } = request;
  if (!isSigned(headers)) return UNSIGNED_VERDICT;
  if (headers['signature-input'] !== undefined && REQUIRED_HEADERS.some((name) => headers[name] === REDACTED)) {
    const verifier = new SignatureVerifier(request, context, 1);
    return combineSignatures([verifier.rejectUnreadable('component_unavailable')], context.userAgentAgent);
  }
  const fields = parseSignatureFields(headers, WEB_BOT_AUTH_TAG);
  if ('fault' in fields) {
    if (fields.fault === 'no_web_bot_auth_signature') return toNotApplicable(fields.fault);
    return combineSignatures(
      [new SignatureVerifier(request, context, 1).rejectUnreadable(fields.fault)],
      context.userAgentAgent,
    );
  }
  const { labels, isComplete } = fields;
  const verifier = new SignatureVerifier(request, context, labels.length);
  return andThen(allAwaitable(labels.map((label) => verifier.verify(label, isComplete))), (verifiedSignatures) =>
    combineSignatures(verifiedSignatures, context.userAgentAgent),
  );
}

/** Returns true if a request contains a signature header of any kind. */
export const isSigned = (headers: HeaderMap): boolean =>
  headers['signature'] !== undefined || headers['signature-input'] !== undefined;

/** Headers required for verification. Projects may redact any of them. */
const REQUIRED_HEADERS = ['signature', 'signature-input', 'signature-agent', 'host'];

function toNotApplicable(reason: SignatureReason): WebBotAuthVerdict {
  return { outcome: 'not_applicable', reason, agent: null, steps: [] };
}

/** Shared by all unsigned requests, which are the vast majority. */
export const UNSIGNED_VERDICT = toNotApplicable('no_signature');
Object.freeze(UNSIGNED_VERDICT.steps);

function combineSignatures(
  verifiedSignatures: readonly VerifiedSignature[],
  userAgentAgent: AgentDefinition | null,
): WebBotAuthVerdict {
  let best = verifiedSignatures[0]!;
  for (const label of verifiedSignatures)
    if (getWeight(label, userAgentAgent) > getWeight(best, userAgentAgent)) best = label;
  return {
    outcome: best.step.outcome,
    reason: best.step.reason,
    agent: best.agent,
    steps: verifiedSignatures.map(({ step }) => step),
  };
}

const OUTCOME_WEIGHT = { verified: 8, invalid: 4, unverified: 0 };

/** Ranks labels by outcome. Ties go to the agent that the User-Agent also names, then to any known agent. */
function getWeight({ step, agent }: VerifiedSignature, userAgentAgent: AgentDefinition | null): number {
  const isNamed = agent !== null && agent.id === userAgentAgent?.id;
  return OUTCOME_WEIGHT[step.outcome] + (isNamed ? 2 : 0) + (agent === null ? 0 : 1);
}
