import { Command, CommanderError } from 'commander';
import { styleText } from 'node:util';
import { getProductVersion } from '#libs/platform/version';
import { CliError, EXIT } from './cli-error.js';
import { agentsCommand } from './commands/agents.command.js';
import { apiKeysCommand } from './commands/api-keys.command.js';
import { backupCommand, restoreCommand } from './commands/backup.command.js';
import { archiveCommand } from './commands/archive.command.js';
import { auditCommand } from './commands/audit.command.js';
import { deadLettersCommand } from './commands/dead-letters.command.js';
import { demoCommand } from './commands/demo.command.js';
import { alertsCommand } from './commands/alerts.command.js';
import { drainsCommand } from './commands/drains.command.js';
import { doctorCommand } from './commands/doctor.command.js';
import { identifyCommand } from './commands/identify.command.js';
import { logsCommand } from './commands/logs.command.js';
import { migrateCommand } from './commands/migrate.command.js';
import { policyCommand } from './commands/policy.command.js';
import { projectsCommand } from './commands/projects.command.js';
import { reportCommand } from './commands/report.command.js';
import { robotsCommand } from './commands/robots.command.js';
import { sitemapsCommand } from './commands/sitemaps.command.js';
import { removePasskeysCommand, removeSecondFactorCommand } from './commands/remove-factors.command.js';
import { resetPasswordCommand } from './commands/reset-password.command.js';
import { secretsCommand } from './commands/secrets.command.js';
import { setupCodeCommand } from './commands/setup-code.command.js';
import { statementCommand } from './commands/statement.command.js';
import { startCommand } from './commands/start.command.js';
import { tokensCommand } from './commands/tokens.command.js';
import { visitsCommand } from './commands/visits.command.js';
import { readEnv } from './env.js';
import { findInstance } from './instance.js';
import { note } from './output.js';
import { escapeInvisible } from './terminal-text.js';

const HELP = `
Environment:
  AGENT_TRAFFIC_URL      URL of the instance (default: the local instance, or
                         http://127.0.0.1 at PORT or 3000)
  AGENT_TRAFFIC_API_KEY  API key (agk_…)
  AGENT_TRAFFIC_TOKEN    project access token (agt_…) for logs and robots
  DATA_DIR               data folder of a local instance, which contains its URL
                         and API key (default: ./data)

Exit codes: 0 success, 1 failure, 2 usage error. The help of each check command
lists its own exit codes.

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
      'Start and manage Agent Traffic: watch visits, identify agents, import access logs, render rules for robots.txt and web servers, and prepare deployments.',
    )
    .version(getProductVersion(), '-V, --version', 'print the version')
    .addHelpText('after', HELP)
    .addHelpCommand(new Command('help [command]').summary('show help for a command').helpGroup('Help:'))
    // Arguments are listed in each command's own help.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    // Required so that options after `identify curl …` are passed to curl.
    .enablePositionalOptions();
  const groups: [heading: string, ...commands: Command[]][] = [
    ['Visits', visitsCommand(connect), logsCommand(connect, setExitCode), identifyCommand(connect)],
    ['Reports and alerts', reportCommand(connect), statementCommand(connect, setExitCode), alertsCommand(connect)],
    [
      'Agents and rules',
      agentsCommand(connect, setExitCode),
      robotsCommand(connect, setExitCode),
      policyCommand(connect),
      sitemapsCommand(connect),
    ],
    [
      'Projects and access',
      projectsCommand(connect),
      tokensCommand(connect),
      apiKeysCommand(connect),
      drainsCommand(connect),
      auditCommand(connect),
    ],
    [
      'Accounts',
      setupCodeCommand(connect),
      resetPasswordCommand(connect),
      removeSecondFactorCommand(connect),
      removePasskeysCommand(connect),
    ],
    [
      'Operation',
      startCommand(root, setExitCode),
      demoCommand(connect),
      doctorCommand(connect, setExitCode),
      deadLettersCommand(connect),
      backupCommand(),
      restoreCommand(),
      archiveCommand(),
      migrateCommand(),
      secretsCommand(),
    ],
  ];
  for (const [heading, ...commands] of groups) {
    program.commandsGroup(`${heading}:`);
    for (const command of commands) program.addCommand(command);
  }
  configure(program);
  return program;
}

/**
 * Runs a command.
 *
 * @param args Arguments, without the Node.js executable and the script.
 * @param root Folder in which the program is installed.
 * @returns the exit code.
 */
export async function run(args: string[], root: string): Promise<number> {
  // It isn't an error if the reader closes the pipe early, as in `| head`.
  if (process.stdout.listenerCount('error') === 0) {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  }
  let exitCode: number = EXIT.ok;
  const program = createProgram(root, (code) => void (exitCode = code));
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return await reportError(error);
  }
}

/**
 * Makes a command and its subcommands throw instead of exiting, and mention --help in errors. Subcommands added with
 * `addCommand` don't inherit these settings.
 */
function configure(command: Command): void {
  command.exitOverride().showHelpAfterError('(add --help for help and examples)');
  command.commands.forEach(configure);
}

async function reportError(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  // `errorMessage()` removes values quoted in database errors. Its import is slow, so it's only used for unexpected errors.
  const message = error instanceof CliError ? error.message : (await import('#libs/platform')).errorMessage(error);
  note(styleText('red', `error: ${escapeInvisible(message, '\n\t')}`, { stream: process.stderr }));
  if (!(error instanceof CliError)) return EXIT.failure;
  if (error.hint !== undefined) note(escapeInvisible(error.hint, '\n\t'));
  return error.exitCode;
}
