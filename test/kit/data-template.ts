/**
 * The data that instances of a run begin with: an empty, migrated database. Making one takes seconds of each first start,
 * which `test/embedded/first-visit.e2e.spec.ts` and `libs/embedded-postgres` test as it is.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { register } from 'prom-client';
import { temporaryFolder } from './run-folder.ts';

/** What the build has, for what starts a run. */
export const embeddedPostgres = () =>
  import('#libs/embedded-postgres').catch((cause: unknown) => {
    throw new Error('there is no build: run npm run build first', { cause });
  });

/** Makes the folder that {@link newDataDirectory} copies from then on. @returns its path. */
export async function makeDataTemplate(): Promise<string> {
  const { EmbeddedPostgres } = await embeddedPostgres();
  const { createDataSource, migrate } = await import('#libs/database');
  const dataDirectory = await temporaryFolder();
  const postgres = await EmbeddedPostgres.start({ dataDirectory, log: pino({ level: 'error' }) });
  const dataSource = await createDataSource({ url: postgres.url, poolSize: 1 }).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  await postgres.stop();
  // With `--runInBand` the tests are in this process, too, and register the metrics of what they load.
  register.clear();
  // It is elsewhere where PostgreSQL's user can't enter the folder, and belongs to that folder alone.
  if (postgres.clusterDirectory.startsWith(dataDirectory)) process.env['TEST_DATA_TEMPLATE'] = dataDirectory;
  return dataDirectory;
}

/** A new folder for an instance. */
export async function newDataDirectory(): Promise<string> {
  const folder = await temporaryFolder();
  const template = process.env['TEST_DATA_TEMPLATE'];
  // With the owner, who may be another than ours.
  if (template !== undefined) await promisify(execFile)('cp', ['-a', `${template}/.`, folder]);
  return folder;
}
