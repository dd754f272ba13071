import { Command, CommanderError } from 'commander';
import { styleText } from 'node:util';
import { productVersion } from '#libs/platform/version';
import { CliError, EXIT } from './cli-error.js';
import { agentsCommand } from './commands/agents.command.js';
import { apiKeysCommand } from './commands/api-keys.command.js';
import { backupCommand, restoreCommand } from './commands/backup.command.js';
import { auditCommand } from './commands/audit.command.js';
import { deadLettersCommand } from './commands/dead-letters.command.js';
import { demoCommand } from './commands/demo.command.js';
import { alertsCommand } from './commands/alerts.command.js';
import { drainsCommand } from './commands/drains.command.js';
import { doctorCommand } from './commands/doctor.command.js';
import { identifyCommand } from './commands/identify.command.js';
import { logsCommand } from './commands/logs.command.js';
import { migrateCommand } from './commands/migrate.command.js';
import { projectsCommand } from './commands/projects.command.js';
import { reportCommand } from './commands/report.command.js';
import { robotsCommand } from './commands/robots.command.js';
import { removePasskeysCommand, removeSecondFactorCommand } from './commands/remove-factors.command.js';
import { resetPasswordCommand } from './commands/reset-password.command.js';
import { secretsCommand } from './commands/secrets.command.js';
import { setupCodeCommand } from './commands/setup-code.command.js';
import { startCommand } from './commands/start.command.js';
import { tokensCommand } from './commands/tokens.command.js';
import { visitsCommand } from './commands/visits.command.js';
import { readEnv } from './env.js';
import { findInstance } from './instance.js';
import { note } from './output.js';
import { visible } from './terminal-text.js';

const HELP = `
Environment:
  AGENT_TRAFFIC_URL      address of the instance (default: the one running here, else 127.0.0.1 at PORT or 3000)
  AGENT_TRAFFIC_API_KEY  API key, agk_…
  AGENT_TRAFFIC_TOKEN    project token, agt_…, for logs import and robots
  DATA_DIR               folder of the instance on its own machine, where all three are found (default: ./data)

Exit codes: 0 done, 1 failed, 2 wrong usage. Commands that answer yes or no say in their help how.

Examples:
  agent-traffic projects list
  agent-traffic visits tail
  agent-traffic identify curl https://example.com/ -A GPTBot/1.2
  agent-traffic logs import /var/log/nginx/access.log
  agent-traffic robots check https://example.com/ --user-agent GPTBot`;

export function createProgram(root: string, setExitCode: (code: number) => void): Command {
  const connect = () => findInstance(readEnv(), [process.cwd(), root]);
  const program = new Command('agent-traffic')
    .description(
      'Starts Agent Traffic or administers a running instance, shows its visits live, identifies agents, imports access logs, renders rules for robots.txt and servers, and prepares deployments.',
    )
    .version(productVersion(), '-V, --version', 'print the version')
    .addHelpText('after', HELP)
    // Leave options after `identify curl …` to curl.
    .enablePositionalOptions();
  for (const command of [
    startCommand(root, setExitCode),
    projectsCommand(connect),
    tokensCommand(connect),
    apiKeysCommand(connect),
    visitsCommand(connect),
    reportCommand(connect),
    identifyCommand(connect),
    agentsCommand(connect, setExitCode),
    deadLettersCommand(connect),
    auditCommand(connect),
    logsCommand(connect, setExitCode),
    alertsCommand(connect),
    drainsCommand(connect),
    robotsCommand(connect, setExitCode),
    setupCodeCommand(connect),
    resetPasswordCommand(connect),
    removeSecondFactorCommand(connect),
    removePasskeysCommand(connect),
    secretsCommand(),
    migrateCommand(),
    backupCommand(),
    restoreCommand(),
    demoCommand(connect),
    doctorCommand(connect, setExitCode),
  ]) {
    program.addCommand(command);
  }
  configure(program);
  return program;
}

/**
 * Runs a command line.
 *
 * @param args Arguments without Node.js and the script.
 * @param root Folder of the program.
 * @returns the exit code.
 */
export async function run(args: string[], root: string): Promise<number> {
  // Closing the pipe early (`| head`) isn't an error.
  if (process.stdout.listenerCount('error') === 0) {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  }
  let exitCode: number = EXIT.ok;
  const program = createProgram(root, (code) => void (exitCode = code));
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return await report(error);
  }
}

/**
 * Makes commands throw instead of exiting, and mention --help in errors. Subcommands that were created separately don't
 * inherit these settings.
 */
function configure(command: Command): void {
  command.exitOverride().showHelpAfterError('(add --help for help and examples)');
  command.commands.forEach(configure);
}

async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  // `errorMessage()` removes values that database errors quote. The import is slow, so it's reserved for unexpected
  // errors.
  const message = error instanceof CliError ? error.message : (await import('#libs/platform')).errorMessage(error);
  note(styleText('red', `error: ${visible(message, '\n\t')}`, { stream: process.stderr }));
  if (!(error instanceof CliError)) return EXIT.failure;
  if (error.hint !== undefined) note(visible(error.hint, '\n\t'));
  return error.exitCode;
}
