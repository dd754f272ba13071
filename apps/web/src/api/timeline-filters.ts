import { getValuePattern, TIMELINE_FILTERS as DECLARED, getAllowedValues } from '#libs/contracts';

type DeclaredFilters = typeof DECLARED;
type LabeledFilterName = {
  [N in keyof DeclaredFilters]: DeclaredFilters[N] extends { label: string } ? N : never;
}[keyof DeclaredFilters];

interface FilterField {
  label: string;
  placeholder: string;
  /** Allowed values, or null for any text. */
  values: readonly string[] | null;
  /** Required format, or null for any text. */
  form: { pattern: string; fault: string } | null;
}

/** Filters available in the dashboard. The build inlines their values (see vite.config.ts). */
export const TIMELINE_FILTERS = Object.fromEntries(
  Object.entries(DECLARED).flatMap(([name, filter]): [string, FilterField][] => {
    if (!('label' in filter)) return [];
    const pattern = getValuePattern(filter);
    return [
      [
        name,
        {
          label: filter.label,
          placeholder: 'placeholder' in filter ? filter.placeholder : '',
          values: getAllowedValues(filter),
          form: pattern === null ? null : { pattern, fault: filter.fault },
        },
      ],
    ];
  }),
) as Record<LabeledFilterName, FilterField>;
