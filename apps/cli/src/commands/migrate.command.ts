import { Command } from 'commander';
import { note, writeData } from '../output.js';

const HELP = `
Environment (each NAME also as NAME_FILE, the file that holds it):
  DATABASE_URL           postgres://user@host:port/name
  DATABASE_PASSWORD      goes into DATABASE_URL
  SECRET_KEY             32 bytes, hex or base64, that encrypt access tokens at rest
  PROJECT_ACCESS_TOKEN   the first project's access token; created if there is no project yet
  API_KEY                an API key with admin rights; created if there is none yet
  ADMIN_EMAIL, ADMIN_PASSWORD   an administrator's account, created if the address has none
  KAFKA_BROKERS          host:port, …; if set, the topics are created too (with the other KAFKA_ settings)
  PUBLIC_URL             address at which people reach the deployment (default: http://127.0.0.1:3000)

You can run it again at any time. Until there is an administrator, it prints a new setup code.
Exit code 3: a newer release has changed the database.`;

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('prepare the database of a distributed deployment, before its services start and at each update')
    .option('--api-key-file <file>', 'file for the API key if one is created (default: printed)')
    .option(
      '--from-embedded <folder>',
      'move in everything of a stopped instance: its DATA_DIR; the database must be new',
    )
    .addHelpText('after', HELP)
    .action(async ({ apiKeyFile, fromEmbedded }: { apiKeyFile?: string; fromEmbedded?: string }) => {
      // Loaded lazily: this import takes longer than most commands run.
      const [{ readMigrationSettings }, { runMigration }] = await Promise.all([
        import('../migration/env.js'),
        import('../migration/run-migration.js'),
      ]);
      await runMigration(readMigrationSettings(), {
        apiKeyFile,
        fromEmbedded,
        tell: (line) => note(line),
        print: writeData,
      });
    });
}
