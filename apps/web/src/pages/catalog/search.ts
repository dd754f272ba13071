import { AGENT_TYPES } from '../../ui/agent-types.js';
import type { AgentFilters, AgentType } from '../../api/catalog-queries.js';

/** What the page shows, as its address says. */
export interface CatalogSearch {
  search?: string;
  type?: AgentType;
  operator?: string;
  origin?: 'bundled' | 'own';
  /** Token of the agent whose details are open. */
  agent?: string;
  /** Whether they are being changed. */
  edit?: true;
  /** Whether another one is being added. */
  add?: true;
  /** The User-Agent that is tried. */
  try?: string;
}

const TEXTS = ['search', 'operator', 'agent', 'try'] as const;

/** Reads an address; what does not fit is left out. */
export function readCatalogSearch(search: Record<string, unknown>): CatalogSearch {
  const read: CatalogSearch = {};
  for (const name of TEXTS) {
    const value = search[name];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') read[name] = String(value);
  }
  const type = AGENT_TYPES.find((known) => known === search['type']);
  if (type !== undefined) read.type = type as AgentType;
  const { origin, edit, add } = search;
  if (origin === 'bundled' || origin === 'own') read.origin = origin;
  if (edit === true) read.edit = true;
  if (add === true) read.add = true;
  return read;
}

export const agentFilters = ({ search, type, operator, origin }: CatalogSearch): AgentFilters => ({
  ...(search !== undefined && { search }),
  ...(type !== undefined && { type: [type] }),
  ...(operator !== undefined && { operator: [operator] }),
  ...(origin !== undefined && { origin }),
});
