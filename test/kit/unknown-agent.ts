import type { EnrichedVisit } from '#libs/contracts';

/** Identification of a visitor that matches no agent, for tests that don't depend on its details. */
export const UNKNOWN_AGENT: EnrichedVisit['identification'] = {
  result: 'unknown_agent',
  agent_id: null,
  agent_token: null,
  agent_url: null,
  agent_type_name: null,
  operator_name: null,
  method: null,
  reason: null,
  evidence: {},
  catalog_version: 'v',
};
