import { TIMELINE_FILTERS } from '../api/timeline-filters.js';

export type FilterName = keyof typeof TIMELINE_FILTERS;
/** The prefix `not_` excludes values. */
export type FilterKey = FilterName | `not_${FilterName}`;

/**
 * Values by filter, with the names of the API's query parameters. Filters are combined with AND, and the values of a
 * filter with OR. A `not_` filter excludes all of its values.
 */
export type FilterSet = Partial<Record<FilterKey, string[]>>;
export type FilterSearch = Partial<Record<FilterKey, string | string[]>>;

const FILTER_KEYS = (Object.keys(TIMELINE_FILTERS) as FilterName[]).flatMap((name): FilterKey[] => [
  name,
  `not_${name}`,
]);

export const nameOf = (key: FilterKey): FilterName => key.replace(/^not_/, '') as FilterName;
export const isNegative = (key: FilterKey): boolean => key.startsWith('not_');
export const oppositeOf = (key: FilterKey): FilterKey => (isNegative(key) ? nameOf(key) : (`not_${key}` as FilterKey));

/** Parses URL search parameters. Invalid values are ignored. Numbers such as `status=404` arrive as numbers. */
export function readFilterSet(search: object): FilterSet {
  const set: FilterSet = {};
  for (const key of FILTER_KEYS) {
    const values = [(search as Record<string, unknown>)[key]]
      .flat()
      .filter((value) => typeof value === 'string' || typeof value === 'number')
      .map(String)
      .filter((text) => isValue(nameOf(key), text));
    if (values.length > 0) set[key] = [...new Set(values)];
  }
  return set;
}

function isValue(name: FilterName, text: string): boolean {
  const values: readonly string[] | null = TIMELINE_FILTERS[name].values;
  return text !== '' && (values?.includes(text) ?? true) && hasForm(name, text);
}

/** Returns true if a text has the format that the server requires. */
export function hasForm(name: FilterName, text: string): boolean {
  const { form } = TIMELINE_FILTERS[name];
  return form === null || new RegExp(form.pattern).test(text);
}

/** Returns URL search parameters, with undefined for filters that aren't set. */
export const filterSearch = (set: FilterSet): FilterSearch =>
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

export const filterValues = (set: FilterSet): FilterValue[] =>
  FILTER_KEYS.flatMap((key) => (set[key] ?? []).map((value) => ({ key, value })));

const setOf = (values: readonly FilterValue[]): FilterSet => {
  const set: FilterSet = {};
  for (const { key, value } of values) (set[key] ??= []).push(value);
  return set;
};

const isSame = (one: FilterValue, other: FilterValue): boolean => one.key === other.key && one.value === other.value;

export const without = (set: FilterSet, filter: FilterValue): FilterSet =>
  setOf(filterValues(set).filter((each) => !isSame(each, filter)));

/** Adds a value and removes its opposite. A value that is already set is removed. */
export function toggled(set: FilterSet, filter: FilterValue): FilterSet {
  if (set[filter.key]?.includes(filter.value)) return without(set, filter);
  const rest = without(set, { key: oppositeOf(filter.key), value: filter.value });
  return setOf([...filterValues(rest), filter]);
}

/** Switches a value from "is" to "is not" or back. */
export const switched = (set: FilterSet, filter: FilterValue): FilterSet =>
  toggled(without(set, filter), { key: oppositeOf(filter.key), value: filter.value });
