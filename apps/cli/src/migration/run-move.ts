import 'reflect-metadata';
import { databaseUrl } from '#libs/database';
import { moveVisits, prepareVisitStore, type VisitStoreName } from '#libs/visit-store';
import { CliError } from '../cli-error.js';
import { onInterrupt } from '../interrupt.js';
import { note, print } from '../output.js';
import { count, plural } from '../terminal-text.js';
import type { MigrationSettings } from './env.js';
import { connect } from './run-migration.js';

const PROGRESS_INTERVAL_MS = 5_000;

const NAMES: Record<VisitStoreName, string> = { postgresql: 'PostgreSQL', clickhouse: 'ClickHouse' };

/** Moves all visits between PostgreSQL and a separate database for visits. */
export async function runMove(settings: MigrationSettings, target: VisitStoreName): Promise<void> {
  if (settings.visitStore === null) {
    throw new CliError('CLICKHOUSE_URL is not set.', {
      hint: 'Set it to the ClickHouse server to move visits to or from, such as http://clickhouse:8123.',
    });
  }
  const database = await connect(databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD), { tell: note });
  const { signal, dispose } = onInterrupt();
  let lastNotice = 0;
  try {
    await prepareVisitStore(database, settings.visitStore);
    const visits = await moveVisits(database, settings.visitStore, {
      target,
      signal,
      onProgress({ done, total }) {
        if (Date.now() - lastNotice < PROGRESS_INTERVAL_MS) return;
        lastNotice = Date.now();
        note(`${count(done)} of ${count(total)} visits are in ${NAMES[target]}`);
      },
      onWaiting(services) {
        note(
          `All visits have been copied. To finish, stop ${services.join(' and ')}. In the meantime, the gateway keeps accepting visits. Waiting …`,
        );
      },
    });
    print(`Moved ${plural(visits, 'visit')} to ${NAMES[target]}.`);
    note(
      target === 'clickhouse'
        ? 'Set CLICKHOUSE_URL for the gateway, ingest and the console, and start them.'
        : 'Remove CLICKHOUSE_URL from the gateway, ingest and the console, and start them.',
    );
  } catch (error) {
    if (signal.aborted) throw new CliError('Interrupted. To continue, run the same command again.');
    throw error;
  } finally {
    dispose();
    await database.destroy();
  }
}
