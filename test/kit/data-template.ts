/**
 * Initial data directory for test instances, containing an empty, migrated database. Copying it is faster than a real
 * first start, which `test/embedded/first-visit.e2e.spec.ts` and the `libs/embedded-postgres` tests cover.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { register } from 'prom-client';
import { temporaryFolder } from './run-folder.ts';

/** Loads the compiled library, because Jest's global setup can't load our TypeScript sources. */
export const embeddedPostgres = () =>
  import('#libs/embedded-postgres').catch((cause: unknown) => {
    throw new Error('No build found. Run npm run build first.', { cause });
  });

/**
 * Creates the folder that {@link createDataDirectory} copies.
 *
 * @returns the folder's path
 */
export async function createDataTemplate(): Promise<string> {
  const { EmbeddedPostgres } = await embeddedPostgres();
  const { createDataSource, migrate } = await import('#libs/database');
  const dataDirectory = await temporaryFolder();
  const postgres = await EmbeddedPostgres.start({ dataDirectory, log: pino({ level: 'error' }) });
  const dataSource = await createDataSource({ url: postgres.url, poolSize: 1 }).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  await postgres.stop();
  // With `--runInBand`, the tests run in the same process as this setup. They register the same metrics, so remove
  // them.
  register.clear();
  // If PostgreSQL's user can't access the folder, the cluster is stored elsewhere. In this case, there's no template,
  // because a copy of the folder wouldn't include the cluster.
  if (postgres.clusterDirectory.startsWith(dataDirectory)) process.env['TEST_DATA_TEMPLATE'] = dataDirectory;
  return dataDirectory;
}

/** Creates a data directory for an instance, copied from the template if one exists. */
export async function createDataDirectory(): Promise<string> {
  const folder = await temporaryFolder();
  const template = process.env['TEST_DATA_TEMPLATE'];
  // `-a` preserves the owner, which may be PostgreSQL's user.
  if (template !== undefined) await promisify(execFile)('cp', ['-a', `${template}/.`, folder]);
  return folder;
}
