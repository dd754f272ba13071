import { Command, InvalidArgumentError, Option } from 'commander';
import { isUuid } from '#libs/contracts';
import type { DaySelection } from '../archive/archived-days.js';
import type { EraseOptions } from '../archive/run-erase.js';
import type { RestoreOptions } from '../archive/run-restore.js';
import { integerParser, jsonOption } from '../options.js';
import { print, printJson } from '../output.js';
import { count, renderTable } from '../terminal-text.js';

const ENVIRONMENT = `
Environment (to read a value from a file, append _FILE to the variable's name and set it to the path):
  ARCHIVE_URL             folder or s3://bucket/prefix that the instance uses
  ARCHIVE_S3_ENDPOINT     URL of the S3 service (default: Amazon S3)
  ARCHIVE_S3_REGION       region (default: us-east-1)
  ARCHIVE_S3_ACCESS_KEY_ID, ARCHIVE_S3_SECRET_ACCESS_KEY   access key`;

const VERIFY_HELP = `
Compares every file's size, SHA-256 and number of visits with the manifest.
${ENVIRONMENT}

Exits with code 1 if files are missing or damaged.`;

const DATABASE = `  DATABASE_URL, DATABASE_PASSWORD   for an external PostgreSQL
  DATA_DIR                for the embedded PostgreSQL: data folder of the instance (default: ./data)`;

const VISIT_STORE = `  CLICKHOUSE_URL          if ClickHouse stores the visits (with the other CLICKHOUSE_ settings)`;

const RESTORE_HELP = `
Stores the visits in the database again, so they reappear in the timeline and exports. Counts don't change, because they were
never deleted. Visits that are already stored are skipped, so you can safely repeat the command. Visits that you erased only
in the instance are also restored. You don't have to stop the instance.

For the embedded PostgreSQL, run the command on the instance's machine, as root or as the user that runs the instance.
${ENVIRONMENT}
${DATABASE}
${VISIT_STORE}

Example:
  agent-traffic archive restore --from 2026-08-01 --to 2026-08-31 --keep-days 7`;

const ERASE_HELP = `
Erases all archived visits that contain the address, or all archived visits in the project. If you set both options, erases only
the project's visits that contain the address. Visits in the database aren't affected, so erase those first ("agent-traffic
visits delete"). If the bucket keeps previous versions of objects, delete those as well.

The command uses the instance's database to prevent ingest from archiving visits in the meantime. If ingest is already archiving
visits, the command waits until it has finished.
${ENVIRONMENT}
${DATABASE}

Examples:
  agent-traffic archive erase --address 203.0.113.7 --confirm 203.0.113.7
  agent-traffic archive erase --project 019a0000-0000-7000-8000-000000000001 --confirm 019a0000-0000-7000-8000-000000000001`;

const DAY_MS = 86_400_000;

/** Returns a day such as 2026-11-21 unchanged, if it's valid. */
function parseDay(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (new Date(Number.isNaN(time) ? -DAY_MS : time).toISOString().slice(0, 10) !== text) {
    throw new InvalidArgumentError('It must be a day such as 2026-11-21.');
  }
  return text;
}

/** Returns a UUID in lowercase. */
function parseProjectId(text: string): string {
  if (!isUuid(text)) {
    throw new InvalidArgumentError('It must be an ID such as 019a0000-0000-7000-8000-000000000001.');
  }
  return text.toLowerCase();
}

const fromOption = (): Option => new Option('--from <day>', 'first UTC day of receipt').argParser(parseDay);
const toOption = (): Option => new Option('--to <day>', 'last UTC day of receipt').argParser(parseDay);
const projectOption = (): Option =>
  new Option('-p, --project <id>', 'project ID (default: all projects)').argParser(parseProjectId);

export function archiveCommand(): Command {
  return new Command('archive')
    .description('list, verify, restore and erase archived visits')
    .addCommand(listCommand())
    .addCommand(verifyCommand())
    .addCommand(restoreCommand())
    .addCommand(eraseCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('list archived days')
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(projectOption())
    .addOption(jsonOption())
    .addHelpText('after', ENVIRONMENT)
    .action(async ({ json = false, ...selection }: DaySelection & { json?: boolean }) => {
      const { requireArchive, selectDays, sumBytes, sumVisits, UnreadableDays } =
        await import('../archive/archived-days.js');
      const unreadable = new UnreadableDays();
      const days = (await selectDays(requireArchive(), selection, unreadable)).map(({ day, visitors, projects }) => ({
        day,
        visitors,
        projects: projects.map(({ project_id }) => project_id),
        visits: sumVisits(projects),
        bytes: sumBytes(projects),
      }));
      if (json) printJson(days);
      else if (days.length === 0) print('The archive contains no matching days.');
      else print(renderDays(days));
      unreadable.check();
    });
}

interface ListedDay {
  day: string;
  visitors: string;
  projects: readonly string[];
  visits: number;
  bytes: number;
}

const renderDays = (days: readonly ListedDay[]): string =>
  renderTable(
    ['Day', 'Visitors', 'Projects', 'Visits', 'Size'],
    days.map(({ day, visitors, projects, visits, bytes }) => [
      day,
      visitors,
      count(projects.length),
      count(visits),
      `${(bytes / 1e6).toFixed(1)} MB`,
    ]),
  );

function verifyCommand(): Command {
  return new Command('verify')
    .description('check that all archived files are complete and unchanged')
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(projectOption())
    .addHelpText('after', VERIFY_HELP)
    .action(async (selection: DaySelection) => {
      const { runVerify } = await import('../archive/run-verify.js');
      await runVerify(selection);
    });
}

function restoreCommand(): Command {
  return new Command('restore')
    .description('temporarily restore archived visits to the database')
    .addOption(fromOption().makeOptionMandatory())
    .addOption(toOption().makeOptionMandatory())
    .addOption(projectOption())
    .addOption(
      new Option('--keep-days <days>', 'number of days until the visits are deleted again')
        .argParser(integerParser(1, 3_650))
        .default(30),
    )
    .addHelpText('after', RESTORE_HELP)
    .action(async (options: RestoreOptions) => {
      const { runRestore } = await import('../archive/run-restore.js');
      await runRestore(options);
    });
}

function eraseCommand(): Command {
  return new Command('erase')
    .description('permanently erase archived visits by IP address or project')
    .option('-a, --address <address>', 'erase visits that contain this IP address')
    .addOption(projectOption())
    .option('--confirm <text>', 'repeat the address, or without --address the project ID, to confirm')
    .addHelpText('after', ERASE_HELP)
    .action(async (options: EraseOptions) => {
      const { runErase } = await import('../archive/run-erase.js');
      await runErase(options);
    });
}
