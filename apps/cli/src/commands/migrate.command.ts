import { Command, Option } from 'commander';
import { note, writeData } from '../output.js';

const HELP = `
Environment (to read a value from a file, append _FILE to the variable's name and set it to the path):
  DATABASE_URL           postgres://user@host:port/name
  DATABASE_PASSWORD      password for DATABASE_URL
  SECRET_KEY             32-byte key (hex or base64) that encrypts access tokens at rest
  PROJECT_ACCESS_TOKEN   access token for the first project, if no project exists (default: generated)
  API_KEY                first API key, with admin rights, if none exists (default: generated)
  ADMIN_EMAIL, ADMIN_PASSWORD   administrator account to create, if it doesn't exist
  CLICKHOUSE_URL         http(s)://host:port of a ClickHouse server for the visits (with the other CLICKHOUSE_ settings)
  KAFKA_BROKERS          host:port, …; if set, topics are created, too (with the other KAFKA_ settings)
  PUBLIC_URL             URL of the deployment for its users (default: http://127.0.0.1:3000)

Moving the visits (--to-clickhouse, --to-postgresql) starts while the services are running. When most visits have been copied, the
command waits until you stop ingest and the console. If it's interrupted, run it again to continue.

You can run this command again at any time. It prints a new setup code each time until an administrator exists.
Exit code 3: a newer release has migrated the database.`;

interface MigrateOptions {
  apiKeyFile?: string;
  fromEmbedded?: string;
  toClickhouse?: true;
  toPostgresql?: true;
  discardNewerVisits?: true;
}

export function migrateCommand(): Command {
  return new Command('migrate')
    .summary('prepare the database of a distributed deployment')
    .description(
      'prepare the database of a distributed deployment; run it before the first start and before each update',
    )
    .option('--api-key-file <file>', 'file for the API key, if one is created (default: standard output)')
    .option('--from-embedded <folder>', 'DATA_DIR of a stopped instance whose data to move into the new database')
    .addOption(new Option('--to-clickhouse', 'move all visits from PostgreSQL to ClickHouse').conflicts('toPostgresql'))
    .option('--to-postgresql', 'move all visits from ClickHouse to PostgreSQL')
    .option('--discard-newer-visits', 'delete visits from ClickHouse that are newer than a restored PostgreSQL backup')
    .addHelpText('after', HELP)
    .action(async ({ apiKeyFile, fromEmbedded, toClickhouse, toPostgresql, discardNewerVisits }: MigrateOptions) => {
      // Imported lazily because it loads slowly.
      const [{ readMigrationSettings }, { runMigration }] = await Promise.all([
        import('../migration/env.js'),
        import('../migration/run-migration.js'),
      ]);
      const settings = readMigrationSettings();
      if (toClickhouse || toPostgresql) {
        const { runMove } = await import('../migration/run-move.js');
        await runMove(settings, toClickhouse ? 'clickhouse' : 'postgresql');
        return;
      }
      await runMigration(settings, {
        apiKeyFile,
        fromEmbedded,
        discardsNewerVisits: discardNewerVisits === true,
        tell: (line) => note(line),
        print: writeData,
      });
    });
}
