import { linkOptions } from '@tanstack/react-router';
import type { Filters } from '../filters/visit-filters.js';
import type { LinkedRange } from './range.js';

export const rangeSearch = (range: LinkedRange) =>
  'range' in range ? { range: range.range } : { from: range.from, to: range.to };

/** Returns links to the visits of a range that match the filters. */
export const listLink = (projectId: string, range: LinkedRange) => (filters: Filters) =>
  linkOptions({
    to: '/projects/$projectId/visits',
    params: { projectId },
    search: { ...rangeSearch(range), ...filters },
  });

/** Returns the filter value for an agent: its token, or its ID if the catalog no longer contains it. */
export const agentFilter = ({
  agent_id: id,
  agent_token: token,
}: {
  agent_id: string;
  agent_token: string | null;
}): string => token ?? id;

const comparedSearch = (range: LinkedRange) => ({
  ...rangeSearch(range),
  ...(range.compare !== undefined && { compare: range.compare }),
});

export const agentLink = (projectId: string, agentId: string, range: LinkedRange) =>
  linkOptions({
    to: '/projects/$projectId/agents/$agentId',
    params: { projectId, agentId },
    search: comparedSearch(range),
  });

/** Returns a link to the agents of a range. @param type Limits the list to one type. */
export const agentsLink = (projectId: string, range: LinkedRange, type?: string) =>
  linkOptions({
    to: '/projects/$projectId/agents',
    params: { projectId },
    search: { ...comparedSearch(range), ...(type !== undefined && { type }) },
  });
