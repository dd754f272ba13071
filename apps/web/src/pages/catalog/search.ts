import type { AgentBehavior } from '#libs/agents/vocabulary';
import { AGENT_BEHAVIORS } from '../../api/constants.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import type { AgentType, SeenAgent } from '../../api/catalog-queries.js';

/** State of the page, as stored in the URL. */
export interface CatalogSearch {
  search?: string;
  type?: AgentType;
  behavior?: AgentBehavior;
  operator?: string;
  origin?: SeenAgent['origin'];
  /** Token of the agent whose details are open. */
  agent?: string;
  /** True while that agent is being edited. */
  edit?: true;
  /** True while a new agent is being added. */
  add?: true;
  /** User-Agent to try. */
  try?: string;
  /** Group of unlisted user agents from which the new agent is suggested, and the project it visited. */
  group?: string;
  project?: string;
}

const TEXTS = ['search', 'operator', 'agent', 'try', 'group', 'project'] as const;

/** Parses URL search parameters. Invalid ones are ignored. */
export function readCatalogSearch(search: Record<string, unknown>): CatalogSearch {
  const read: CatalogSearch = {};
  for (const name of TEXTS) {
    const value = search[name];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') read[name] = String(value);
  }
  const type = AGENT_TYPES.find((known) => known === search['type']);
  if (type !== undefined) read.type = type as AgentType;
  const behavior = AGENT_BEHAVIORS.find((known) => known === search['behavior']);
  if (behavior !== undefined) read.behavior = behavior;
  const { origin, edit, add } = search;
  if (origin === 'bundled' || origin === 'feed' || origin === 'own') read.origin = origin;
  if (edit === true) read.edit = true;
  if (add === true) read.add = true;
  return read;
}

const FILTERS = ['search', 'type', 'behavior', 'operator', 'origin'] as const;

export const isFiltered = (search: CatalogSearch): boolean => FILTERS.some((name) => search[name] !== undefined);

/** Returns the agents that match the filters, in the given order. */
export function matching(
  agents: readonly SeenAgent[],
  { search, type, behavior, operator, origin }: CatalogSearch,
): SeenAgent[] {
  const part = search?.toLowerCase() ?? '';
  return agents.filter(
    (agent) =>
      (type === undefined || agent.agent_type_name === type) &&
      (behavior === undefined || agent.behaviors.includes(behavior)) &&
      (operator === undefined || agent.operator_name === operator) &&
      (origin === undefined || agent.origin === origin) &&
      [agent.agent_token, agent.operator_name, agent.robots_token].some((name) => name?.toLowerCase().includes(part)),
  );
}
