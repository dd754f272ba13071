import type { AgentBehavior } from '#libs/agents/vocabulary';
import { AGENT_BEHAVIORS } from '../../api/constants.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import type { AgentType, SeenAgent } from '../../api/catalog-queries.js';

/** Catalog page state, as stored in the URL. */
export interface CatalogSearch {
  search?: string;
  type?: AgentType;
  behavior?: AgentBehavior;
  operator?: string;
  origin?: SeenAgent['origin'];
  /** Token of the agent whose details are open. */
  agent?: string;
  /** True while the open agent is being edited. */
  edit?: true;
  /** True while a new agent is being added. */
  add?: true;
  try?: string;
  /** User agent group that a new agent is suggested for. */
  group?: string;
  project?: string;
}

/** Range of the visit counts. */
export const SEEN_RANGE = { range: '30d' } as const;

const TEXT_PARAMETERS = ['search', 'operator', 'agent', 'try', 'group', 'project'] as const;

/** Parses URL search parameters, ignoring invalid ones. */
export function parseCatalogSearch(search: Record<string, unknown>): CatalogSearch {
  const parsed: CatalogSearch = {};
  for (const name of TEXT_PARAMETERS) {
    const value = search[name];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') parsed[name] = String(value);
  }
  const type = AGENT_TYPES.find((candidate) => candidate === search['type']);
  if (type !== undefined) parsed.type = type as AgentType;
  const behavior = AGENT_BEHAVIORS.find((candidate) => candidate === search['behavior']);
  if (behavior !== undefined) parsed.behavior = behavior;
  const { origin, edit, add } = search;
  if (origin === 'bundled' || origin === 'feed' || origin === 'own') parsed.origin = origin;
  if (edit === true) parsed.edit = true;
  if (add === true) parsed.add = true;
  return parsed;
}

const FILTERS = ['search', 'type', 'behavior', 'operator', 'origin'] as const;

export const isFiltered = (search: CatalogSearch): boolean => FILTERS.some((name) => search[name] !== undefined);

/** Returns the agents that match the filters, without reordering them. */
export function filterAgents(
  agents: readonly SeenAgent[],
  { search, type, behavior, operator, origin }: CatalogSearch,
): SeenAgent[] {
  const searchText = search?.toLowerCase() ?? '';
  return agents.filter(
    (agent) =>
      (type === undefined || agent.agent_type_name === type) &&
      (behavior === undefined || agent.behaviors.includes(behavior)) &&
      (operator === undefined || agent.operator_name === operator) &&
      (origin === undefined || agent.origin === origin) &&
      [agent.agent_token, agent.operator_name, agent.robots_token].some((name) =>
        name?.toLowerCase().includes(searchText),
      ),
  );
}
