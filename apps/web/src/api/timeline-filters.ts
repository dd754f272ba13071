import { patternOf, TIMELINE_FILTERS as DECLARED, valuesOf } from '#libs/contracts';

type Declared = typeof DECLARED;
type Name = { [N in keyof Declared]: Declared[N] extends { label: string } ? N : never }[keyof Declared];

interface FilterField {
  label: string;
  placeholder: string;
  /** Allowed values, or null for any text. */
  values: readonly string[] | null;
  /** Required format, or null for any text. */
  form: { pattern: string; fault: string } | null;
}

/** Filters offered in the dashboard. The `evaluated` plugin in vite.config.ts inlines their values at build time. */
export const TIMELINE_FILTERS = Object.fromEntries(
  Object.entries(DECLARED).flatMap(([name, filter]): [string, FilterField][] => {
    if (!('label' in filter)) return [];
    const pattern = patternOf(filter);
    return [
      [
        name,
        {
          label: filter.label,
          placeholder: 'placeholder' in filter ? filter.placeholder : '',
          values: valuesOf(filter),
          form: pattern === null ? null : { pattern, fault: filter.fault },
        },
      ],
    ];
  }),
) as Record<Name, FilterField>;
