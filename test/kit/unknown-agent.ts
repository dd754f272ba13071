import type { EnrichedVisit } from '#libs/contracts';

/** What is said of a visitor whom no agent matches, for tests in which that does not matter. */
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
