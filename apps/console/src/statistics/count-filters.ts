import type { FilterName, TimelineFilters } from '#libs/contracts';
import { createMatcher, NO_AGENT, EMPTY_COLUMNS } from '#libs/visit-store';
import type { AgentNames } from './agent-names.repository.js';

export type Filters = Partial<TimelineFilters>;

export const AGENT_FILTERS: readonly FilterName[] = ['agent', 'type', 'operator'];
/** Filters that can be applied to counts. Counts don't store the operator, so it's looked up in the catalog. */
export const COUNTABLE_FILTERS: readonly FilterName[] = [...AGENT_FILTERS, 'result'];

const matchesAnyName = (key: string, names: readonly FilterName[]): boolean =>
  names.some((name) => key === name || key === `not_${name}`);
/** Returns the filters with the given names, including their `not_` counterparts. */
export const pickFilters = (filters: Filters, names: readonly FilterName[]): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([key]) => matchesAnyName(key, names)));
export const omitFilters = (filters: Filters, names: readonly FilterName[]): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([key]) => !matchesAnyName(key, names)));
export const hasFilters = (filters: Filters, names?: readonly FilterName[]): boolean =>
  Object.values(names === undefined ? filters : pickFilters(filters, names)).some((value) => value !== null);

interface AgentCount {
  agent_id?: string;
  agent_type: string;
  result: string;
}

/** Returns a predicate for counts. Filters that aren't in {@link COUNTABLE_FILTERS} are ignored. */
export function createCountPredicate(
  filters: Filters,
  getNames?: (id: string) => AgentNames,
): (count: AgentCount) => boolean {
  const matches = createMatcher(pickFilters(filters, COUNTABLE_FILTERS));
  if (matches === null) return () => true;
  return ({ agent_id: id = NO_AGENT, agent_type: type, result }) =>
    matches({
      ...EMPTY_COLUMNS,
      agentId: id === NO_AGENT ? null : id,
      agentType: type === '' ? null : type,
      operator: id === NO_AGENT ? null : (getNames?.(id).operator_name ?? null),
      result,
    });
}
