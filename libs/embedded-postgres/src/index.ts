export { type BackupEntry, baseBackup, type QueryRows } from './base-backup.js';
export { getClusterFormat } from './binaries.js';
export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.js';
export { createDataDirectory } from './files.js';
export { readProcessInfo } from './process-info.js';
export { restoreCluster } from './restore-cluster.js';
export { findRunningPostgres } from './running-postgres.js';
export { type PostgresLog } from './server-log.js';
