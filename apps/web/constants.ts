import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AGENT_BEHAVIORS,
  MAX_ALERT_DELIVERIES,
  MAX_ALERT_EVENTS,
  MAX_DAYS_OF_RANGE,
  MAX_SAMPLED_VISITS,
  patternOf,
  TIMELINE_FILTERS,
  valuesOf,
} from '#libs/contracts';

/** Where the dashboard finds the filters of the timeline. */
export const FILTERS_FILE = join(import.meta.dirname, 'src/api/timeline-filters.ts');

/** The filters that the dashboard offers: TypeScript. */
export function timelineFilters(): string {
  const fields = Object.entries(TIMELINE_FILTERS).flatMap(([name, filter]) => {
    if (!('label' in filter)) return [];
    const { label, fault } = filter;
    const placeholder = 'placeholder' in filter ? filter.placeholder : '';
    const pattern = patternOf(filter);
    const field = { label, placeholder, values: valuesOf(filter), form: pattern && { pattern, fault } };
    return [`  ${name}: ${JSON.stringify(field)},\n`];
  });
  return `// From the declared filters: npm run dashboard-constants\nexport const TIMELINE_FILTERS = {\n${fields.join('')}} as const;\n`;
}

/** Where the dashboard finds the bounds that it speaks of. */
export const LIMITS_FILE = join(import.meta.dirname, 'src/api/limits.ts');

/** Bounds of the interface: TypeScript. */
export const limits = (): string =>
  `// From the declared limits: npm run dashboard-constants
/** Deliveries of alerts that are listed, newest first. */
export const MAX_ALERT_DELIVERIES = ${MAX_ALERT_DELIVERIES};
/** Times that alerts fired, of which the newest are listed. */
export const MAX_ALERT_EVENTS = ${MAX_ALERT_EVENTS};
/** Days that a range can span. */
export const MAX_DAYS_OF_RANGE = ${MAX_DAYS_OF_RANGE};
/** Visits that are looked at, newest first, for what is not counted. */
export const MAX_SAMPLED_VISITS = ${MAX_SAMPLED_VISITS};
/** What agents are known to do, in addition to their type. */
export const AGENT_BEHAVIORS = ${JSON.stringify(AGENT_BEHAVIORS)} as const;
`;

if (import.meta.main) {
  await writeFile(LIMITS_FILE, limits());
  await writeFile(FILTERS_FILE, timelineFilters());
}
