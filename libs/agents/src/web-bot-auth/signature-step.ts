import type { AgentDefinition } from '../agent.js';
import type { SignatureStep } from '../verification.js';
import type { VerificationKey } from './key-set.js';
import type { NamedAgent } from './signature-agent.js';
import { isSignatureAlgorithm } from './signature-check.js';
import type { SignatureLabel } from './signature-fields.js';

/** Tells of one judged label all that can be read of it, whatever else is wrong. */
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

/** RFC 3339 has years of four digits only. @param seconds since the epoch, if anything. */
function timestamp(seconds: unknown): string | null {
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds < LAST_FOUR_DIGIT_YEAR)) return null;
  return new Date(seconds * 1_000).toISOString();
}
