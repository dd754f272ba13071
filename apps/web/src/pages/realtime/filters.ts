import type { Result } from '../../api/client.js';

export const RESULTS = ['verified', 'verification_failed', 'not_verifiable', 'unknown_agent'] as const;

/** What the page shows, as its address says. */
export interface Filters {
  agent?: string;
  type?: string;
  operator?: string;
  result?: Result;
  path?: string;
  status?: string;
  /** MCP calls alone. */
  mcp?: true;
  /** The visit whose drawer is open. */
  visit?: string;
}

const TEXTS = ['agent', 'type', 'operator', 'path', 'status', 'visit'] as const;

/** Reads an address; what does not fit is left out. Numbers come as such: `status=404`. */
export function readFilters(search: Record<string, unknown>): Filters {
  const filters: Filters = {};
  for (const name of TEXTS) {
    const value = search[name];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') filters[name] = String(value);
  }
  const result = RESULTS.find((known) => known === search['result']);
  if (result !== undefined) filters.result = result;
  if (search['mcp'] === true || search['mcp'] === 'true') filters.mcp = true;
  if (filters.status !== undefined && !/^(\d{1,9}|[1-9]xx)$/i.test(filters.status)) delete filters.status;
  return filters;
}

/** As parameters of `GET /api/projects/{id}/visits`. */
export const timelineQuery = ({ agent, type, operator, result, path, status, mcp }: Filters) => ({
  ...(agent !== undefined && { agent: [agent] }),
  ...(type !== undefined && { type: [type as never] }),
  ...(operator !== undefined && { operator: [operator] }),
  ...(result !== undefined && { result: [result] }),
  ...(path !== undefined && { path: [path] }),
  ...(status !== undefined && { status: [status] }),
  ...(mcp && { kind: ['mcp' as const] }),
});

export const isFiltered = (filters: Filters): boolean => Object.keys(timelineQuery(filters)).length > 0;
