import { IDENTIFICATION_RESULTS } from '#libs/agents/vocabulary';
import type { Result } from '../../api/client.js';
import { readInstants } from '../../range/range.js';

/** What the page shows, as its address says. */
export interface Filters {
  agent?: string;
  type?: string;
  operator?: string;
  result?: Result;
  path?: string;
  /** A whole path, without its query. */
  page?: string;
  /** Of the client, or its network as CIDR; of a past range only. */
  address?: string;
  status?: string;
  /** MCP calls alone. */
  mcp?: true;
  /** The visit whose drawer is open. */
  visit?: string;
  /** Visits of this range, rather than those that come. ISO 8601, both or neither. */
  from?: string;
  to?: string;
  /** Times of a past range are shown in the zone of the browser. */
  zone?: 'browser';
}

const TEXTS = ['agent', 'type', 'operator', 'path', 'page', 'address', 'status', 'visit'] as const;

/** Reads an address; what does not fit is left out. Numbers come as such: `status=404`. */
export function readFilters(search: Record<string, unknown>): Filters {
  const filters: Filters = {};
  for (const name of TEXTS) {
    const value = search[name];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') filters[name] = String(value);
  }
  const result = IDENTIFICATION_RESULTS.find((known) => known === search['result']);
  if (result !== undefined) filters.result = result;
  if (search['mcp'] === true || search['mcp'] === 'true') filters.mcp = true;
  Object.assign(filters, readInstants(search['from'], search['to']));
  if (filters.from === undefined) delete filters.address;
  if (search['zone'] === 'browser') filters.zone = 'browser';
  if (filters.status !== undefined && !/^(\d{1,9}|[1-9]xx)$/i.test(filters.status)) delete filters.status;
  return filters;
}

/** As parameters of `GET /api/projects/{id}/visits`. */
export const timelineQuery = ({ agent, type, operator, result, path, page, address, status, mcp }: Filters) => ({
  ...(agent !== undefined && { agent: [agent] }),
  ...(type !== undefined && { type: [type as never] }),
  ...(operator !== undefined && { operator: [operator] }),
  ...(result !== undefined && { result: [result] }),
  ...(path !== undefined && { path: [path] }),
  ...(page !== undefined && { page: [page] }),
  ...(address !== undefined && { address: [address] }),
  ...(status !== undefined && { status: [status] }),
  ...(mcp && { kind: ['mcp' as const] }),
});

export const isFiltered = (filters: Filters): boolean => Object.keys(timelineQuery(filters)).length > 0;
