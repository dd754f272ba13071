import type { AgentDefinition } from './agent.js';
import type { AgentMatcher } from './agent.matcher.js';
import type { ClientAddress } from './client-address.js';
import type { HeaderMap } from './headers.js';
import type { IdentificationEvidence, VerificationMethod } from './verification.js';

export type IdentificationResult = 'verified' | 'verification_failed' | 'not_verifiable' | 'unknown_agent';

/** Why the result isn't `verified`. */
export type IdentificationReason =
  /** Nothing is known by which this agent could prove itself. */
  | 'no_method'
  /** The agent has a method, but it wasn't applied. */
  | 'not_checked';

/** The `identification` of an enriched visit. Agent fields are `null` for an unknown agent, or where unknown of one. */
export interface Identification {
  result: IdentificationResult;
  agent_id: string | null;
  agent_token: string | null;
  agent_url: string | null;
  agent_type_name: string | null;
  operator_name: string | null;
  method: VerificationMethod | null;
  reason: IdentificationReason | null;
  evidence: IdentificationEvidence;
  catalogue_version: string;
}

export interface IdentificationContext {
  /** The compiled catalogue, of which this much is used. */
  catalogue: { version: string; matcher: AgentMatcher };
  clientAddress: ClientAddress;
}

/** Says which agent sent a request with these headers. Never throws. */
export function identify(headers: HeaderMap, { catalogue, clientAddress }: IdentificationContext): Identification {
  const userAgent = headers['user-agent'];
  const match = userAgent === undefined ? null : catalogue.matcher.match(userAgent);
  const agent = match?.agent ?? null;
  return {
    result: agent === null ? 'unknown_agent' : 'not_verifiable',
    agent_id: agent?.id ?? null,
    agent_token: agent?.token ?? null,
    agent_url: agent?.url ?? null,
    agent_type_name: agent?.type ?? null,
    operator_name: agent?.operator ?? null,
    method: null,
    reason: agent === null ? null : unprovenReason(agent),
    evidence: {
      user_agent_match: match?.matchedText ?? null,
      user_agent_token: agent?.token ?? null,
      client_address_source: clientAddress.source,
      client_address_reason: clientAddress.reason,
      steps: [],
    },
    catalogue_version: catalogue.version,
  };
}

function unprovenReason({ verification }: AgentDefinition): IdentificationReason {
  const { reverse_dns_suffixes, ip_list_urls, ip_ranges, signature_agents } = verification;
  const methods = [reverse_dns_suffixes, ip_list_urls, ip_ranges, signature_agents];
  return methods.some((method) => method !== undefined && method.length > 0) ? 'not_checked' : 'no_method';
}
