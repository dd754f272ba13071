import { TIMELINE_FILTERS } from '../../api/timeline-filters.js';
import { faultSentence } from '../../api/form-errors.js';
import { readInstants } from '../../range/range.js';

/** Name of a filter that the page offers. */
export type FilterName = keyof typeof TIMELINE_FILTERS;

/** What the page shows, as its address says. An address is of a past range only. */
export interface Filters extends Partial<Record<FilterName, string>> {
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

export const FILTER_NAMES = Object.keys(TIMELINE_FILTERS) as FilterName[];

/** Reads an address; what does not fit is left out. Numbers come as such: `status=404`. */
export function readFilters(search: Record<string, unknown>): Filters {
  const filters: Filters = {};
  for (const name of [...FILTER_NAMES, 'visit'] as const) {
    const value = search[name];
    const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
    if (isText && isValue(name, String(value))) filters[name] = String(value);
  }
  if (search['mcp'] === true || search['mcp'] === 'true') filters.mcp = true;
  Object.assign(filters, readInstants(search['from'], search['to']));
  if (filters.from === undefined) delete filters.address;
  if (search['zone'] === 'browser') filters.zone = 'browser';
  return filters;
}

function isValue(name: FilterName | 'visit', text: string): boolean {
  if (name === 'visit') return true;
  const values: readonly string[] | null = TIMELINE_FILTERS[name].values;
  return values?.includes(text) ?? filterFault(name, text) === null;
}

/** Returns what is wrong with a filter as typed, in a sentence; null for what can be asked for. */
export function filterFault(name: FilterName, text: string): string | null {
  const { form } = TIMELINE_FILTERS[name];
  return form === null || text === '' || new RegExp(form.pattern).test(text) ? null : faultSentence(form.fault);
}

/** As parameters of `GET /api/projects/{id}/visits`. */
export function timelineQuery(filters: Filters): { [K in FilterName]?: never[] } & { kind?: 'mcp'[] } {
  const given = FILTER_NAMES.filter((name) => filters[name] !== undefined);
  return {
    ...Object.fromEntries(given.map((name) => [name, [filters[name]]])),
    ...(filters.mcp && { kind: ['mcp'] }),
  };
}

export const isFiltered = (filters: Filters): boolean => Object.keys(timelineQuery(filters)).length > 0;
