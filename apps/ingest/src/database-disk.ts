import { statfs } from 'node:fs/promises';
import { Gauge } from 'prom-client';

let disk: string | undefined;

/**
 * Exports the free space and size of PostgreSQL's disk.
 *
 * @param path Path on the disk, or undefined if this process can't access it.
 */
export function watchDatabaseDisk(path: string | undefined): void {
  disk = path;
}

/** Sets a gauge, or removes its value if the disk can't be read. */
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
