import type { Identification } from './identification.js';
import type { IdentificationResult } from './vocabulary.js';

/** Identification without evidence. Agent fields are absent if the agent or the value is unknown. */
export interface PublicIdentification {
  result: IdentificationResult;
  agent_id?: string;
  agent_token?: string;
  agent_url?: string;
  agent_type_name?: string;
  operator_name?: string;
}

export function toPublicIdentification(identification: Identification): PublicIdentification {
  const { result, agent_id, agent_token, agent_url, agent_type_name, operator_name } = identification;
  if (agent_id === null) return { result };
  return {
    result,
    agent_id,
    ...(agent_token !== null && { agent_token }),
    ...(agent_url !== null && { agent_url }),
    ...(agent_type_name !== null && { agent_type_name }),
    ...(operator_name !== null && { operator_name }),
  };
}
