import { ProblemSchema } from '../problem.schema.js';
import { CONSOLE_INTERFACE } from './console.js';
import { openApiDocument } from './operation.js';
import { PUBLIC_INTERFACE } from './public.js';

export { CONSOLE_INTERFACE } from './console.js';
export { PUBLIC_INTERFACE } from './public.js';
export type { Interface, Operation, OperationAccess, Parameter } from './operation.js';

/** A document and where it is served: `/docs/<slug>.json`. */
export interface ServedDocument {
  title: string;
  slug: string;
  document: object;
}

/** OpenAPI 3.1 of both interfaces. */
export const openApiDocuments = (): ServedDocument[] => [
  { title: 'Public', slug: 'public', document: openApiDocument(PUBLIC_INTERFACE, ProblemSchema) },
  { title: 'Console', slug: 'console', document: openApiDocument(CONSOLE_INTERFACE, ProblemSchema) },
];
