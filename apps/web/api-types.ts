import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import {
  MAX_ALERT_DELIVERIES,
  MAX_ALERT_EVENTS,
  MAX_DAYS_OF_RANGE,
  MAX_SAMPLED_VISITS,
  openApiDocuments,
  patternOf,
  TIMELINE_FILTERS,
  valuesOf,
} from '#libs/contracts';

/** Where the types of the console's interface are kept. */
export const API_TYPES = join(import.meta.dirname, 'src/api/schema.d.ts');

/** The console's interface as the dashboard's client knows it: TypeScript. */
export async function apiTypes(): Promise<string> {
  const { document } = openApiDocuments().find(({ slug }) => slug === 'console')!;
  return `// From the OpenAPI document: npm run api-types\n${astToString(await openapiTS(document as OpenAPI3))}`;
}

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
  return `// From the declared filters: npm run api-types\nexport const TIMELINE_FILTERS = {\n${fields.join('')}} as const;\n`;
}

/** Where the dashboard finds the bounds that it speaks of. */
export const LIMITS_FILE = join(import.meta.dirname, 'src/api/limits.ts');

/** Bounds of the interface: TypeScript. */
export const limits = (): string =>
  `// From the declared limits: npm run api-types
/** Deliveries of alerts that are listed, newest first. */
export const MAX_ALERT_DELIVERIES = ${MAX_ALERT_DELIVERIES};
/** Times that alerts fired, of which the newest are listed. */
export const MAX_ALERT_EVENTS = ${MAX_ALERT_EVENTS};
/** Days that a range can span. */
export const MAX_DAYS_OF_RANGE = ${MAX_DAYS_OF_RANGE};
/** Visits that are looked at, newest first, for what is not counted. */
export const MAX_SAMPLED_VISITS = ${MAX_SAMPLED_VISITS};
`;

if (import.meta.main) {
  await writeFile(LIMITS_FILE, limits());
  await writeFile(API_TYPES, await apiTypes());
  await writeFile(FILTERS_FILE, timelineFilters());
}
