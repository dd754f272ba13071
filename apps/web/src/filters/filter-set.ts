import { TIMELINE_FILTERS } from '../api/timeline-filters.js';

export type FilterName = keyof typeof TIMELINE_FILTERS;
/** The prefix `not_` excludes values. */
export type FilterKey = FilterName | `not_${FilterName}`;

/**
 * Filter values by API query parameter. Filters are combined with AND, and a filter's values with OR. A `not_` filter
 * excludes all of its values.
 */
export type FilterSet = Partial<Record<FilterKey, string[]>>;
export type FilterSearch = Partial<Record<FilterKey, string | string[]>>;

const FILTER_KEYS = (Object.keys(TIMELINE_FILTERS) as FilterName[]).flatMap((name): FilterKey[] => [
  name,
  `not_${name}`,
]);

export const toFilterName = (key: FilterKey): FilterName => key.replace(/^not_/, '') as FilterName;
export const isNegative = (key: FilterKey): boolean => key.startsWith('not_');
export const toOppositeKey = (key: FilterKey): FilterKey =>
  isNegative(key) ? toFilterName(key) : (`not_${key}` as FilterKey);

/** Parses URL search parameters, ignoring invalid values. The router passes values such as `404` as numbers. */
export function parseFilterSet(search: object): FilterSet {
  const set: FilterSet = {};
  for (const key of FILTER_KEYS) {
    const values = [(search as Record<string, unknown>)[key]]
      .flat()
      .filter((value) => typeof value === 'string' || typeof value === 'number')
      .map(String)
      .filter((text) => isValidValue(toFilterName(key), text));
    if (values.length > 0) set[key] = [...new Set(values)];
  }
  return set;
}

function isValidValue(name: FilterName, text: string): boolean {
  const values: readonly string[] | null = TIMELINE_FILTERS[name].values;
  return text !== '' && (values?.includes(text) ?? true) && hasValidFormat(name, text);
}

export function hasValidFormat(name: FilterName, text: string): boolean {
  const { form } = TIMELINE_FILTERS[name];
  return form === null || new RegExp(form.pattern).test(text);
}

/** Returns URL search parameters. Unset filters are undefined, which removes them from the URL. */
export const toFilterSearch = (set: FilterSet): FilterSearch =>
  Object.fromEntries(
    FILTER_KEYS.map((key) => {
      const values = set[key] ?? [];
      return [key, values.length > 1 ? values : values[0]];
    }),
  );

export const isFiltered = (set: FilterSet): boolean => Object.keys(set).length > 0;

export interface FilterValue {
  key: FilterKey;
  value: string;
}

export const listFilterValues = (set: FilterSet): FilterValue[] =>
  FILTER_KEYS.flatMap((key) => (set[key] ?? []).map((value) => ({ key, value })));

const toFilterSet = (values: readonly FilterValue[]): FilterSet => {
  const set: FilterSet = {};
  for (const { key, value } of values) (set[key] ??= []).push(value);
  return set;
};

const isSame = (one: FilterValue, other: FilterValue): boolean => one.key === other.key && one.value === other.value;

export const removeFilter = (set: FilterSet, filter: FilterValue): FilterSet =>
  toFilterSet(listFilterValues(set).filter((existing) => !isSame(existing, filter)));

/** Adds a value and removes its opposite, or removes the value if it's already set. */
export function toggleFilter(set: FilterSet, filter: FilterValue): FilterSet {
  if (set[filter.key]?.includes(filter.value)) return removeFilter(set, filter);
  const rest = removeFilter(set, { key: toOppositeKey(filter.key), value: filter.value });
  return toFilterSet([...listFilterValues(rest), filter]);
}

/** Switches a value between "is" and "is not". */
export const negateFilter = (set: FilterSet, filter: FilterValue): FilterSet =>
  toggleFilter(removeFilter(set, filter), { key: toOppositeKey(filter.key), value: filter.value });

/** Filters that exclude unknown visitors when set. */
const AGENT_FILTERS = ['agent', 'type', 'operator', 'result'] as const;

/** Adds a filter that excludes unknown visitors, unless other filters already do. */
export const excludeUnknown = (set: FilterSet): FilterSet =>
  AGENT_FILTERS.some((name) => set[name] !== undefined) || set.not_result?.includes('unknown_agent')
    ? set
    : { ...set, not_result: [...(set.not_result ?? []), 'unknown_agent'] };
