import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocuments, patternOf, TIMELINE_FILTERS, valuesOf } from '#libs/contracts';

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

if (import.meta.main) {
  await writeFile(API_TYPES, await apiTypes());
  await writeFile(FILTERS_FILE, timelineFilters());
}
