import { statfs } from 'node:fs/promises';
import { Gauge } from 'prom-client';

let diskPath: string | undefined;

/** Starts exporting disk metrics. @param path Path on PostgreSQL's disk, or undefined if it isn't accessible. */
export function setDatabaseDiskPath(path: string | undefined): void {
  diskPath = path;
}

/** Removes the gauge's value if the disk can't be read. */
async function measure(gauge: Gauge, toBytes: (blocks: Blocks) => number): Promise<void> {
  const blocks = diskPath === undefined ? null : await statfs(diskPath).catch(() => null);
  if (blocks === null) gauge.remove();
  else gauge.set(toBytes(blocks));
}

type Blocks = Record<'bavail' | 'blocks' | 'bsize', number>;

const ABSENT_NOTE = 'absent if DATABASE_DISK_PATH is not set';

export const databaseDiskGauges = {
  free: new Gauge({
    name: 'agent_traffic_ingest_database_disk_free_bytes',
    help: `Free space on PostgreSQL's disk; ${ABSENT_NOTE}`,
    collect() {
      return measure(this, ({ bavail, bsize }) => bavail * bsize);
    },
  }),
  size: new Gauge({
    name: 'agent_traffic_ingest_database_disk_size_bytes',
    help: `Size of PostgreSQL's disk; ${ABSENT_NOTE}`,
    collect() {
      return measure(this, ({ blocks, bsize }) => blocks * bsize);
    },
  }),
};
