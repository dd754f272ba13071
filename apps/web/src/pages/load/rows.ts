import type { LoadRow } from '../../api/load.js';
import type { Project } from '../../api/client.js';
import type { FilterSet, FilterValue } from '../../filters/filter-set.js';
import { getPatternFilters, isFolderPattern } from '../../load/pattern-filters.js';
import type { LoadTab } from './search.js';

/** Labels of each tab and of its table's first column. */
export const TAB_LABELS: Record<LoadTab, { tab: string; row: string }> = {
  agent: { tab: 'Agents', row: 'Agent' },
  operator: { tab: 'Operators', row: 'Operator' },
  type: { tab: 'Types', row: 'Type' },
  folder: { tab: 'Folders', row: 'Folder' },
  page: { tab: 'Pages', row: 'Page' },
  pattern: { tab: 'Patterns', row: 'Pattern' },
};

type Patterns = Project['path_patterns'];

/** Returns the name that a row is listed by. */
export function getRowName(by: LoadTab, { value, agent_token: token }: LoadRow, patterns: Patterns = []): string {
  if (by === 'pattern') return patterns.find(({ pattern }) => pattern === value)?.name ?? value ?? 'No pattern';
  if (value === null) return 'Unknown visitors';
  if (by === 'agent') return token ?? 'No longer in the catalog';
  if (value === '') return by === 'operator' ? 'Unknown operator' : 'No type';
  return value;
}

/** Returns the filter that selects a row's visits, or null if no filter can. */
export function getRowFilter(by: LoadTab, { value, agent_token: token }: LoadRow): FilterValue | null {
  if (by === 'pattern') return value === null ? null : { key: 'path', value };
  if (value === null) return { key: 'result', value: 'unknown_agent' };
  if (by === 'agent') return { key: 'agent', value: token ?? value };
  if (by === 'folder') return isFolderPattern(value) ? { key: 'path', value } : null;
  return value === '' ? null : { key: by, value };
}

/**
 * Returns the filters that select exactly the visits in a row, or null if no filters can.
 *
 * @param counted Filters of the page.
 */
export function getVisitFilters(by: LoadTab, row: LoadRow, counted: FilterSet, patterns: Patterns): FilterSet | null {
  const filter = getRowFilter(by, row);
  if (filter?.key === 'path' && counted.path !== undefined && counted.path.join() !== filter.value) return null;
  if (by !== 'pattern') {
    if (filter === null) return null;
    const { not_result: excluded, ...rest } = counted;
    const keepsResult = row.value !== null && excluded !== undefined;
    return { ...rest, ...(keepsResult && { not_result: excluded }), [filter.key]: [filter.value] };
  }
  return getPatternFilters(row.value, counted, patterns);
}
