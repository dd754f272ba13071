import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { note, print } from '../output.js';

const HELP = `
Existing secrets are never changed; missing ones are created:
  secret-key            encrypts access tokens at rest (SECRET_KEY_FILE)
  database-password     of the database's user (DATABASE_PASSWORD_FILE)
  internal-api-secret   authenticates services to one another (INTERNAL_API_SECRET_FILE)
  metrics-token         reads the services' metrics (METRICS_TOKEN_FILE)
  access-token          the first project's (PROJECT_ACCESS_TOKEN_FILE)
  api-key               the first API key, with admin rights (API_KEY_FILE)

With --services, each service of docker-compose.yml gets a folder with only the secrets that it reads, and passwords of
its own for Kafka and Redis, which get the files of their users.

Examples:
  agent-traffic secrets /var/lib/agent-traffic
  agent-traffic secrets /var/lib/agent-traffic --services /run/agent-traffic`;

export function secretsCommand(): Command {
  return new Command('secrets')
    .description('create the missing secrets of a deployment, each in a file that only you can read')
    .argument('<folder>', 'the folder that keeps them')
    .option('--services <folder>', 'also give each service its own secrets, in a folder with its name inside this one')
    .addHelpText('after', HELP)
    .action(async (folder: string, { services }: { services?: string }) => {
      // Loaded lazily: this import takes longer than most commands run.
      const { makeSecrets } = await import('../secrets.js');
      const { shareSecrets } = await import('../service-secrets.js');
      const { made, kept } = await makeSecrets(folder);
      if (made.length > 0) print(`Made in ${folder}: ${made.join(', ')}`);
      if (kept.length > 0) print(`Were there: ${kept.join(', ')}`);
      if (services === undefined) return;
      const changed = await shareSecrets(folder, services);
      if (changed.length > 0) print(`Users changed; restart: ${changed.join(', ')}`);
    })
    .addCommand(rotateCommand())
    .addCommand(resealCommand());
}

const ROTATE_HELP = `
The standalone: run it with DATA_DIR, then restart. The start encrypts everything anew and forgets the previous key.
Services on their own: see docs/configuration.md, "Rotate SECRET_KEY". Sessions end; people sign in again.`;

function rotateCommand(): Command {
  return new Command('rotate')
    .description('create a new secret-key; the previous one is accepted until everything is encrypted again')
    .argument('<folder>', 'where the secrets are kept')
    .option('--end', 'set the previous key aside, after "agent-traffic secrets reseal"')
    .addHelpText('after', ROTATE_HELP)
    .action(async (folder: string, { end = false }: { end?: boolean }) => {
      const { beginRotation, endRotation } = await import('../secrets.js');
      if (end) {
        const hasEnded = await endRotation(folder);
        if (!hasEnded) throw new CliError(`No rotation is under way in ${folder}: it has no secret-key-previous.`);
        print(
          'The previous key is now secret-key-retired, which nothing reads. Restart what reads SECRET_KEY_PREVIOUS.',
        );
      } else if (await beginRotation(folder)) {
        print(`There is another secret-key in ${folder}. Restart what reads it: both keys are accepted.`);
      } else {
        throw new CliError(`A rotation is under way in ${folder}: it has a secret-key-previous.`, {
          hint: 'Restart, run "agent-traffic secrets reseal", then this with --end.',
        });
      }
    });
}

function resealCommand(): Command {
  return new Command('reseal')
    .description('encrypt with SECRET_KEY what is encrypted with SECRET_KEY_PREVIOUS; safe to interrupt and repeat')
    .addHelpText('after', '\nReads the environment of "agent-traffic migrate".')
    .action(async () => {
      const [{ readMigrationSettings }, { runReseal }] = await Promise.all([
        import('../migration/env.js'),
        import('../migration/run-reseal.js'),
      ]);
      await runReseal(readMigrationSettings(), (line) => note(line));
    });
}
