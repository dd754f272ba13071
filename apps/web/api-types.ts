import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocuments } from '#libs/contracts';

/** Where the types of the console's interface are kept. */
export const API_TYPES = join(import.meta.dirname, 'src/api/schema.d.ts');

/** The console's interface as the dashboard's client knows it: TypeScript. */
export async function apiTypes(): Promise<string> {
  const { document } = openApiDocuments().find(({ slug }) => slug === 'console')!;
  return `// From the OpenAPI document: npm run api-types\n${astToString(await openapiTS(document as OpenAPI3))}`;
}

if (import.meta.main) await writeFile(API_TYPES, await apiTypes());
