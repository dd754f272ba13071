import { patternOf, TIMELINE_FILTERS as DECLARED, valuesOf } from '#libs/contracts';

type Declared = typeof DECLARED;
type Name = { [N in keyof Declared]: Declared[N] extends { label: string } ? N : never }[keyof Declared];

/** A filter as the dashboard offers it. */
interface FilterField {
  label: string;
  placeholder: string;
  /** Null for any text. */
  values: readonly string[] | null;
  /** Null for any text. */
  form: { pattern: string; fault: string } | null;
}

/** Filters that the dashboard offers. The build puts their values here: `evaluated` in vite.config.ts. */
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
