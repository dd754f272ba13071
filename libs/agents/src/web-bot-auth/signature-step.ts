import type { AgentDefinition } from '../agent.js';
import type { SignatureStep } from '../verification.js';
import type { ClaimedAgent } from './signature-agent.js';
import { isSignatureAlgorithm } from './signature-algorithm.js';
import type { SignatureLabel } from './signature-fields.js';
import type { VerificationKey } from './verification-key.js';

/** Creates the step for a signature label. Includes all values that could be parsed, even if verification failed. */
export function createSignatureStep(
  label: SignatureLabel | null,
  claimedAgent: ClaimedAgent,
  agent: AgentDefinition | null,
  key: VerificationKey | null,
  { outcome, reason }: Pick<SignatureStep, 'outcome' | 'reason'>,
): SignatureStep {
  const keyId = label?.parameters.get('keyid');
  const algorithm = label?.parameters.get('alg');
  const claimedAlgorithm = typeof algorithm === 'string' && isSignatureAlgorithm(algorithm) ? algorithm : null;
  return {
    method: 'http_message_signature',
    outcome,
    reason,
    label: label?.label ?? null,
    key_id: typeof keyId === 'string' ? keyId : null,
    algorithm: key?.algorithm ?? claimedAlgorithm,
    signature_agent: claimedAgent.agent,
    directory_url: claimedAgent.directoryUrl,
    agent_token: agent?.token ?? null,
    created: toTimestamp(label?.parameters.get('created')),
    expires: toTimestamp(label?.parameters.get('expires')),
    covered_components: label?.components?.map(({ identifier }) => identifier) ?? [],
  };
}

const YEAR_10000_SECONDS = 253_402_300_800;

/** Converts seconds since the epoch to RFC 3339, which only supports four-digit years. Returns null if out of range. */
function toTimestamp(seconds: unknown): string | null {
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds < YEAR_10000_SECONDS)) return null;
  return new Date(seconds * 1_000).toISOString();
}
