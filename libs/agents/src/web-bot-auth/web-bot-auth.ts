import type { AgentDefinition } from '../agent.js';
import { allOf, andThen, type Awaitable } from '../evidence-sources.js';
import type { HeaderMap } from '../headers.js';
import type { ObservedRequest } from '../observed-request.js';
import type { SignatureStep } from '../verification.js';
import type { SignatureOutcome, SignatureReason } from '../vocabulary.js';
import { REDACTED } from '../credential-text.js';
import { SignatureVerifier, type VerifiedSignature, type WebBotAuthContext } from './signature-verifier.js';
import { readSignatureFields, WEB_BOT_AUTH_TAG } from './signature-fields.js';

export interface WebBotAuthVerdict {
  /** Outcome, reason and agent of the deciding label. */
  outcome: SignatureOutcome | 'not_applicable';
  reason: SignatureReason;
  agent: AgentDefinition | null;
  steps: readonly SignatureStep[];
}

/**
 * Verifies the Web Bot Auth signatures of a request (draft-ietf-webbotauth-httpsig-protocol-01, based on RFC 9421).
 *
 * Returns synchronously if the key directories do. Fetches only directories of agents in the catalog. Never throws.
 * Limits on sizes, labels, components and candidates bound the work for any headers.
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

/** Returns whether a request may have a signature. */
export const isSigned = (headers: HeaderMap): boolean =>
  headers['signature'] !== undefined || headers['signature-input'] !== undefined;

/** Headers that verification requires. A project may redact any of them. */
const NEEDED = ['signature', 'signature-input', 'signature-agent', 'host'];

function notApplicable(reason: SignatureReason): WebBotAuthVerdict {
  return { outcome: 'not_applicable', reason, agent: null, steps: [] };
}

/** Shared verdict, because nearly all requests are unsigned. */
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

/**
 * Ranks labels by outcome. Ties go to the agent that the User-Agent also names, then to any known agent, then to the
 * first label.
 */
function weight({ step, agent }: VerifiedSignature, userAgentAgent: AgentDefinition | null): number {
  const isNamed = agent !== null && agent.id === userAgentAgent?.id;
  return OUTCOME_WEIGHT[step.outcome] + (isNamed ? 2 : 0) + (agent === null ? 0 : 1);
}
