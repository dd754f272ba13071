import type { FilterName, TimelineFilters } from '#libs/contracts';
import { matcherOf, NO_AGENT, NO_COLUMNS } from '#libs/visit-store';
import type { AgentNames } from './agent-names.repository.js';

export type Filters = Partial<TimelineFilters>;

export const OF_AGENTS: readonly FilterName[] = ['agent', 'type', 'operator'];
/** Filters that can be applied to counts. The operator is looked up in the catalog. */
export const COUNTED: readonly FilterName[] = [...OF_AGENTS, 'result'];

const isNamed = (key: string, names: readonly FilterName[]): boolean =>
  names.some((name) => key === name || key === `not_${name}`);
/** Returns the filters with these names, and their `not_` counterparts. */
export const only = (filters: Filters, names: readonly FilterName[]): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([key]) => isNamed(key, names)));
export const without = (filters: Filters, names: readonly FilterName[]): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([key]) => !isNamed(key, names)));
export const isAny = (filters: Filters, names?: readonly FilterName[]): boolean =>
  Object.values(names === undefined ? filters : only(filters, names)).some((wanted) => wanted !== null);

interface Counted {
  agent_id?: string;
  agent_type: string;
  result: string;
}

/** Returns a predicate for counts. Ignores filters that aren't in {@link COUNTED}. */
export function passesBy(filters: Filters, nameOf?: (id: string) => AgentNames): (count: Counted) => boolean {
  const matches = matcherOf(only(filters, COUNTED));
  if (matches === null) return () => true;
  return ({ agent_id: id = NO_AGENT, agent_type: type, result }) =>
    matches({
      ...NO_COLUMNS,
      agentId: id === NO_AGENT ? null : id,
      agentType: type === '' ? null : type,
      operator: id === NO_AGENT ? null : (nameOf?.(id).operator_name ?? null),
      result,
    });
}
