export { type BackupEntry, baseBackup, type Query } from './base-backup.js';
export { clusterFormat } from './binaries.js';
export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.js';
export { createDataDirectory } from './files.js';
export { processInfo } from './process-info.js';
export { restoreCluster } from './restored-cluster.js';
export { runningPostgres } from './running.js';
export { type PostgresLog } from './server-log.js';
