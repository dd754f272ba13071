import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { note, print } from '../output.js';

const HELP = `
Creates any of these secrets that are missing. Existing secrets are never changed:
  secret-key            key that encrypts access tokens at rest (SECRET_KEY_FILE)
  database-password     password of the database user (DATABASE_PASSWORD_FILE)
  clickhouse-password   password of the ClickHouse user, if ClickHouse stores the visits (CLICKHOUSE_PASSWORD_FILE)
  internal-api-secret   secret that services use to authenticate to each other (INTERNAL_API_SECRET_FILE)
  metrics-token         token for reading the services' metrics (METRICS_TOKEN_FILE)
  access-token          access token for the first project (PROJECT_ACCESS_TOKEN_FILE)
  api-key               first API key, with admin rights (API_KEY_FILE)

With --services, each service in docker-compose.yml gets a folder that contains only the secrets it reads and its own
Kafka and Redis passwords. The folders for Kafka and Redis contain the files that define their users.

Examples:
  agent-traffic secrets /var/lib/agent-traffic
  agent-traffic secrets /var/lib/agent-traffic --services /run/agent-traffic`;

export function secretsCommand(): Command {
  return new Command('secrets')
    .summary('create missing secrets for a deployment')
    .description('create missing secrets for a deployment, each in a file that only you can read')
    .argument('<folder>', 'folder for the secrets')
    .option('--services <folder>', 'folder in which each service gets a subfolder with only the secrets it needs')
    .addHelpText('after', HELP)
    .action(async (folder: string, { services }: { services?: string }) => {
      // Imported lazily because it loads slowly.
      const { createSecrets: makeSecrets } = await import('../secrets.js');
      const { distributeSecrets: shareSecrets } = await import('../service-secrets.js');
      const { made: created, kept: existing } = await makeSecrets(folder);
      if (created.length > 0) print(`Created in ${folder}: ${created.join(', ')}`);
      if (existing.length > 0) print(`Already existed: ${existing.join(', ')}`);
      if (services === undefined) return;
      const changed = await shareSecrets(folder, services);
      if (changed.length > 0) print(`Users changed. Restart these services: ${changed.join(', ')}`);
    })
    .addCommand(rotateCommand())
    .addCommand(resealCommand());
}

const ROTATE_HELP = `
In standalone mode, pass DATA_DIR as the folder, then restart the instance. On startup, it re-encrypts everything and
discards the previous key. For distributed deployments, see "Rotate SECRET_KEY" in docs/configuration.md.
Rotating the key ends all sessions, so users must sign in again.`;

function rotateCommand(): Command {
  return new Command('rotate')
    .description('create a new secret-key; the previous key is accepted until everything is re-encrypted')
    .argument('<folder>', 'folder that contains the secrets')
    .option('--end', 'retire the previous key, after "agent-traffic secrets reseal"')
    .addHelpText('after', ROTATE_HELP)
    .action(async (folder: string, { end = false }: { end?: boolean }) => {
      const { beginRotation, endRotation } = await import('../secrets.js');
      if (end) {
        const hasEnded = await endRotation(folder);
        if (!hasEnded)
          throw new CliError(`No key rotation is in progress in ${folder}: secret-key-previous doesn't exist.`);
        print(
          'Renamed the previous key to secret-key-retired, which is never read. Restart the services that use SECRET_KEY_PREVIOUS.',
        );
      } else if (await beginRotation(folder)) {
        print(
          `Created a new secret-key in ${folder}. Restart the services that use it. Both keys are accepted for now.`,
        );
      } else {
        throw new CliError(`A key rotation is already in progress in ${folder}: secret-key-previous exists.`, {
          hint: 'Restart the services, run "agent-traffic secrets reseal", then run this command with --end.',
        });
      }
    });
}

function resealCommand(): Command {
  return new Command('reseal')
    .description('re-encrypt data from SECRET_KEY_PREVIOUS with SECRET_KEY; safe to interrupt and repeat')
    .addHelpText('after', '\nUses the same environment variables as "agent-traffic migrate".')
    .action(async () => {
      const [{ readMigrationSettings }, { runReseal }] = await Promise.all([
        import('../migration/env.js'),
        import('../migration/run-reseal.js'),
      ]);
      await runReseal(readMigrationSettings(), (line) => note(line));
    });
}
