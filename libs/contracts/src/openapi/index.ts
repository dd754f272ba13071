import { ProblemSchema } from '../problem.schema.js';
import { CONSOLE_INTERFACE } from './console.js';
import { openApiDocument } from './document.js';
import { PUBLIC_INTERFACE } from './public.js';

export * from './accounts.js';
export * from './alert-channels.js';
export * from './alerts.js';
export * from './assistants.js';
export * from './audit.js';
export * from './agent-feeds.js';
export * from './catalog.js';
export * from './compliance.js';
export * from './conduct.js';
export * from './payments.js';
export * from './onboarding.js';
export * from './console.js';
export * from './coverage.js';
export * from './demo.js';
export * from './drains.js';
export * from './policy.js';
export * from './project-rules.js';
export * from './internal.js';
export * from './journeys.js';
export * from './mail-server.js';
export * from './mcp.js';
export * from './notifications.js';
export * from './own-account.js';
export * from './process.js';
export * from './project-report.js';
export * from './public.js';
export * from './reports.js';
export * from './robots-versions.js';
export * from './saved-filters.js';
export * from './passkeys.js';
export * from './permissions.js';
export type { ConsolePaths, ConsoleQuery, InstancePaths } from './paths.js';
export * from './second-factors.js';
export * from './sharing.js';
export * from './chart-notes.js';
export * from './reidentifications.js';
export * from './statements.js';
export * from './statistics.js';
export * from './system.js';
export * from './timeline-filters.js';
export * from './tools.js';
export * from './unlisted.js';
export * from './users.js';
export {
  returnsVersion,
  getAudit,
  operation,
  listParameters,
  type AuditedCall,
  type BodyOf,
  type InterfaceAccess,
  type InterfaceOperation,
  type Operation,
  type OperationAccess,
  type Parameter,
  type ParamsOf,
  completeQuery,
  isLimitedRead,
  getRequiredScope,
  type QueryOf,
} from './operation.js';

/** OpenAPI document, served at `/docs/<slug>.json`. */
export interface ServedDocument {
  title: string;
  slug: string;
  document: object;
}

/** Returns the OpenAPI 3.1 documents for both APIs. Each `document` is built when it is accessed. */
export const openApiDocuments = (): ServedDocument[] => [
  {
    title: 'API for sites',
    slug: 'public',
    get document() {
      return openApiDocument(PUBLIC_INTERFACE, ProblemSchema);
    },
  },
  {
    title: 'Dashboard API',
    slug: 'console',
    get document() {
      return openApiDocument(CONSOLE_INTERFACE, ProblemSchema);
    },
  },
];
