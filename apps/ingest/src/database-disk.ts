import { statfs } from 'node:fs/promises';
import { Gauge } from 'prom-client';

/** A path on PostgreSQL's disk. */
let disk: string | undefined;

/** Exports the space of PostgreSQL's disk. @param path a path on it; undefined if this process sees none. */
export function watchDatabaseDisk(path: string | undefined): void {
  disk = path;
}

/** Sets a gauge, or removes its value if the disk can't be seen. */
async function measure(gauge: Gauge, bytesOf: (blocks: Blocks) => number): Promise<void> {
  const blocks = disk === undefined ? null : await statfs(disk).catch(() => null);
  if (blocks === null) gauge.remove();
  else gauge.set(bytesOf(blocks));
}

type Blocks = Record<'bavail' | 'blocks' | 'bsize', number>;

const ABSENT = 'absent without DATABASE_DISK_PATH';

export const databaseDisk = {
  free: new Gauge({
    name: 'agent_traffic_ingest_database_disk_free_bytes',
    help: `Free space of PostgreSQL's disk; ${ABSENT}`,
    collect() {
      return measure(this, ({ bavail, bsize }) => bavail * bsize);
    },
  }),
  size: new Gauge({
    name: 'agent_traffic_ingest_database_disk_size_bytes',
    help: `Size of PostgreSQL's disk; ${ABSENT}`,
    collect() {
      return measure(this, ({ blocks, bsize }) => blocks * bsize);
    },
  }),
};
