import { linkOptions } from '@tanstack/react-router';
import type { Filters } from '../filters/visit-filters.js';
import type { LinkedRange } from './range.js';

export const rangeSearch = (range: LinkedRange) =>
  'range' in range ? { range: range.range } : { from: range.from, to: range.to };

/** Returns a function that links to the visits in a range, filtered by its argument. */
export const listLink = (projectId: string, range: LinkedRange) => (filters: Filters) =>
  linkOptions({
    to: '/projects/$projectId/visits',
    params: { projectId },
    search: { ...rangeSearch(range), ...filters },
  });

/** Returns the agent's filter value: its token, or its ID if it's no longer in the catalog. */
export const agentFilter = ({
  agent_id: id,
  agent_token: token,
}: {
  agent_id: string;
  agent_token: string | null;
}): string => token ?? id;

const rangeAndComparisonSearch = (range: LinkedRange) => ({
  ...rangeSearch(range),
  ...(range.compare !== undefined && { compare: range.compare }),
});

export const agentLink = (projectId: string, agentId: string, range: LinkedRange) =>
  linkOptions({
    to: '/projects/$projectId/agents/$agentId',
    params: { projectId, agentId },
    search: rangeAndComparisonSearch(range),
  });

/** Returns a link to the agents seen in a range. @param type Lists only agents of this type. */
export const agentsLink = (projectId: string, range: LinkedRange, type?: string) =>
  linkOptions({
    to: '/projects/$projectId/agents',
    params: { projectId },
    search: { ...rangeAndComparisonSearch(range), ...(type !== undefined && { type }) },
  });
