import type { AgentDefinition } from '../agent.js';
import type { SignatureStep } from '../verification.js';
import type { VerificationKey } from './key-set.js';
import type { NamedAgent } from './signature-agent.js';
import { isSignatureAlgorithm } from './signature-check.js';
import type { SignatureLabel } from './signature-fields.js';

/** Returns the step for a signature label, with every value that could be parsed, even if verification failed. */
export function signatureStep(
  label: SignatureLabel | null,
  named: NamedAgent,
  agent: AgentDefinition | null,
  key: VerificationKey | null,
  { outcome, reason }: Pick<SignatureStep, 'outcome' | 'reason'>,
): SignatureStep {
  const keyId = label?.parameters.get('keyid');
  const algorithm = label?.parameters.get('alg');
  const claimed = typeof algorithm === 'string' && isSignatureAlgorithm(algorithm) ? algorithm : null;
  return {
    method: 'http_message_signature',
    outcome,
    reason,
    label: label?.label ?? null,
    key_id: typeof keyId === 'string' ? keyId : null,
    algorithm: key?.algorithm ?? claimed,
    signature_agent: named.agent,
    directory_url: named.directoryUrl,
    agent_token: agent?.token ?? null,
    created: timestamp(label?.parameters.get('created')),
    expires: timestamp(label?.parameters.get('expires')),
    covered_components: label?.components?.map(({ identifier }) => identifier) ?? [],
  };
}

const LAST_FOUR_DIGIT_YEAR = 253_402_300_800;

/**
 * RFC 3339 only supports four-digit years.
 *
 * @param seconds Seconds since the epoch, if a number.
 */
function timestamp(seconds: unknown): string | null {
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds < LAST_FOUR_DIGIT_YEAR)) return null;
  return new Date(seconds * 1_000).toISOString();
}
