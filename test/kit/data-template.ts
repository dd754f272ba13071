/**
 * Initial data directory of test instances: an empty, migrated database. Copying it is faster than a real first start,
 * which `test/embedded/first-visit.e2e.spec.ts` and the tests of `libs/embedded-postgres` cover.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { register } from 'prom-client';
import { temporaryFolder } from './run-folder.ts';

/** Loads the compiled library, because Jest's global setup can't load our TypeScript sources. */
export const embeddedPostgres = () =>
  import('#libs/embedded-postgres').catch((cause: unknown) => {
    throw new Error('there is no build: run npm run build first', { cause });
  });

/** Creates the folder that {@link newDataDirectory} copies. @returns its path. */
export async function makeDataTemplate(): Promise<string> {
  const { EmbeddedPostgres } = await embeddedPostgres();
  const { createDataSource, migrate } = await import('#libs/database');
  const dataDirectory = await temporaryFolder();
  const postgres = await EmbeddedPostgres.start({ dataDirectory, log: pino({ level: 'error' }) });
  const dataSource = await createDataSource({ url: postgres.url, poolSize: 1 }).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  await postgres.stop();
  // With `--runInBand`, the tests run in this process and register the same metrics.
  register.clear();
  // If PostgreSQL's user can't enter the folder, the cluster is stored elsewhere and a copy wouldn't include it.
  if (postgres.clusterDirectory.startsWith(dataDirectory)) process.env['TEST_DATA_TEMPLATE'] = dataDirectory;
  return dataDirectory;
}

/** Creates a data directory for an instance, from the template if there is one. */
export async function newDataDirectory(): Promise<string> {
  const folder = await temporaryFolder();
  const template = process.env['TEST_DATA_TEMPLATE'];
  // `-a` preserves the owner, which may be PostgreSQL's user.
  if (template !== undefined) await promisify(execFile)('cp', ['-a', `${template}/.`, folder]);
  return folder;
}
