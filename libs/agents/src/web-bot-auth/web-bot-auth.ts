import type { AgentDefinition } from '../agent.js';
import { allOf, andThen, type Awaitable } from '../evidence-sources.js';
import type { HeaderMap } from '../headers.js';
import type { ObservedRequest } from '../observed-request.js';
import type { SignatureStep } from '../verification.js';
import type { SignatureOutcome, SignatureReason } from '../vocabulary.js';
import { REDACTED } from '../credential-text.js';
import { SignatureVerifier, type VerifiedSignature, type WebBotAuthContext } from './signature-verifier.js';
import { readSignatureFields, WEB_BOT_AUTH_TAG } from './signature-fields.js';

/** What the Web Bot Auth signatures of a request say together. */
export interface WebBotAuthVerdict {
  /** Those of the label that decides, and the agent that its directory belongs to. */
  outcome: SignatureOutcome | 'not_applicable';
  reason: SignatureReason;
  agent: AgentDefinition | null;
  /** Every label that was judged, in order. */
  steps: readonly SignatureStep[];
}

/**
 * Judges a request's Web Bot Auth signatures (draft-ietf-webbotauth-httpsig-protocol-01 over RFC 9421).
 *
 * At once where the directories answer at once; only directories of listed agents are asked. Never throws. The work is
 * bounded whatever the headers hold: sizes, labels, components and candidates have limits.
 */
export function webBotAuth(request: ObservedRequest, context: WebBotAuthContext): Awaitable<WebBotAuthVerdict> {
  const { headers } = request;
  if (!isSigned(headers)) return NOT_SIGNED;
  if (headers['signature-input'] !== undefined && NEEDED.some((name) => headers[name] === REDACTED)) {
    const verifier = new SignatureVerifier(request, context, 1);
    return combined([verifier.refuseUnreadable('component_unavailable')], context.userAgentAgent);
  }
  const fields = readSignatureFields(headers, WEB_BOT_AUTH_TAG);
  if ('fault' in fields) {
    if (fields.fault === 'no_web_bot_auth_signature') return notApplicable(fields.fault);
    return combined(
      [new SignatureVerifier(request, context, 1).refuseUnreadable(fields.fault)],
      context.userAgentAgent,
    );
  }
  const { labels, isComplete } = fields;
  const verifier = new SignatureVerifier(request, context, labels.length);
  return andThen(allOf(labels.map((label) => verifier.verify(label, isComplete))), (verified) =>
    combined(verified, context.userAgentAgent),
  );
}

/** Whether there may be a signature. */
export const isSigned = (headers: HeaderMap): boolean =>
  headers['signature'] !== undefined || headers['signature-input'] !== undefined;

/** Without these no signature can be judged; a project may have any header taken out. */
const NEEDED = ['signature', 'signature-input', 'signature-agent', 'host'];

function notApplicable(reason: SignatureReason): WebBotAuthVerdict {
  return { outcome: 'not_applicable', reason, agent: null, steps: [] };
}

/** The verdict on nearly all requests. */
export const NOT_SIGNED = notApplicable('no_signature');
Object.freeze(NOT_SIGNED.steps);

function combined(verified: readonly VerifiedSignature[], userAgentAgent: AgentDefinition | null): WebBotAuthVerdict {
  let best = verified[0]!;
  for (const label of verified) if (weight(label, userAgentAgent) > weight(best, userAgentAgent)) best = label;
  return {
    outcome: best.step.outcome,
    reason: best.step.reason,
    agent: best.agent,
    steps: verified.map(({ step }) => step),
  };
}

const OUTCOME_WEIGHT = { verified: 8, invalid: 4, unverified: 0 };

/** Of equal outcomes the one decides whose agent the User-Agent names too, then one with an agent, then the first. */
function weight({ step, agent }: VerifiedSignature, userAgentAgent: AgentDefinition | null): number {
  const isNamed = agent !== null && agent.id === userAgentAgent?.id;
  return OUTCOME_WEIGHT[step.outcome] + (isNamed ? 2 : 0) + (agent === null ? 0 : 1);
}
