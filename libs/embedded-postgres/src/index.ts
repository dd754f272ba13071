export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.js';
export { createDataDirectory } from './files.js';
export { processInfo } from './process-info.js';
export { type PostgresLog } from './server-log.js';
