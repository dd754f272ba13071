import { createDataSource, ReadReplica, type ReplicaOptions } from '#libs/database';
import { Health } from '#libs/platform';
import { pino } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { ok, warning, type Finding } from './finding.js';

/** Longer than the replica needs to be compared with the primary twice. */
const TIMEOUT_MS = 5_000;

/** Checks that reads can use the replica. Without it, they use the primary, so a problem is only a warning. */
export async function checkReplica(primaryUrl: string, { url, maxLagSeconds }: ReplicaOptions): Promise<Finding> {
  const options = { poolSize: 1, applicationName: 'doctor' };
  const dataSource = createDataSource({ url, ...options });
  const primary = createDataSource({ url: primaryUrl, ...options });
  const replica = new ReadReplica(
    dataSource,
    { replica: dataSource, primary },
    maxLagSeconds,
    pino({ level: 'silent' }),
  );
  try {
    replica.start(new Health());
    for (const end = performance.now() + TIMEOUT_MS; replica.problem !== null && performance.now() < end;) {
      await sleep(100);
    }
    if (replica.problem === null) return ok('read replica', `less than ${maxLagSeconds} s behind the primary`);
    return warning(
      'read replica',
      `the replica ${replica.problem}`,
      'Check the replica, or correct DATABASE_READ_URL.',
    );
  } finally {
    await replica.stop();
  }
}
