import { Command, InvalidArgumentError, Option } from 'commander';
import { TIMELINE_FILTERS, getAllowedValues } from '#libs/contracts';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { jsonOption, collect, oneOf, parseTime, TIME_VALUES, projectOption, integerParser } from '../options.js';
import { CliError, EXIT } from '../cli-error.js';
import { findProject } from '../project.js';
import { escapeInvisible } from '../terminal-text.js';
import { describeTestVisit, sendTestVisit } from '../test-visit.js';
import { deleteVisits } from '../visit-deletion.js';
import { exportVisits } from '../visit-export.js';
import { tailVisits, type TailOptions } from '../visit-tail.js';
import { print, printJson } from '../output.js';
import { reidentifyCommand } from './reidentify.command.js';
import { replayCommand } from './replay.command.js';

/** Maximum number of allowed values that the help lists for a filter. */
const MAX_LISTED_VALUES = 6;

const TEST_HELP = `
The instance signs the request as its test agent (Web Bot Auth). This machine
sends it once and doesn't follow redirects. Use the test to check that a site
reports its visits and that proxies in front of it don't break signatures.

Example:
  agent-traffic visits test https://example.com/`;

const EXPORT_HELP = `
Visits are written one per line, newest first. CSV contains the most important
fields, NDJSON contains all fields. In CSV, text that a spreadsheet would treat as
a formula is prefixed with an apostrophe.

Examples:
  agent-traffic visits export --output visits.csv
  agent-traffic visits export --from 2026-11-01 --result verification_failed --output failed.csv
  agent-traffic visits export --format ndjson --agent GPTBot | jq -r .client_address | sort | uniq -c`;

const DELETE_HELP = `
With --address, deletes all visits, dead letters and rejected requests that
contain the IP address, whether as the client address or anywhere else. This
affects all projects, or only the one given with --project. With only --project,
deletes all visits of the project. Statistics aren't affected, because they contain
neither addresses nor headers.

Backups, exports, the archive, your own consumers and Kafka aren't affected. Kafka deletes
messages after 7 days and dead letters after 30 days.

Examples:
  agent-traffic visits delete --address 203.0.113.7 --confirm 203.0.113.7
  agent-traffic visits delete --project "My site" --confirm "My site"`;

const HELP = `
Verdicts: ✔ verified, ✖ failed verification, ? not verifiable, · unknown visitor.

Examples:
  agent-traffic visits tail
  agent-traffic visits tail --agent GPTBot --agent ClaudeBot
  agent-traffic visits tail --result verification_failed --json | jq .client_address`;

interface FilterOptions {
  [filter: string]: string | string[] | undefined;
}

type TailCommandOptions = FilterOptions & { project?: string } & Pick<TailOptions, 'last' | 'json'>;

interface DeleteOptions {
  address?: string;
  project?: string;
  confirm?: string;
}

interface ExportCommandOptions extends FilterOptions {
  project?: string;
  format: 'csv' | 'ndjson';
  output?: string;
}

function addFilterOptions(command: Command): Command {
  for (const [name, filter] of Object.entries(TIMELINE_FILTERS)) {
    if (!('argument' in filter)) continue;
    const values = getAllowedValues(filter);
    const help = filter.description.split('. ')[0]!.replace(/^[A-Z](?![A-Z])/, (start) => start.toLowerCase());
    const choices = values === null || values.length > MAX_LISTED_VALUES ? '' : `: ${values.join(', ')}`;
    command.option(
      `--${name.replaceAll('_', '-')} <${filter.argument}>`,
      `${help}, repeatable${choices}`,
      values === null ? collect : oneOf(values),
    );
  }
  return command;
}

/** Converts option names such as `mcpTool` to the API's parameter names, such as `mcp_tool`. */
const toApiFilters = (filters: FilterOptions): TailOptions['filters'] =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

export function visitsCommand(connect: Connect): Command {
  const visits = new Command('visits')
    .summary('watch, export, delete, replay and re-identify visits')
    .description('watch, export, delete, replay and re-identify visits, and send a test visit');
  addFilterOptions(
    visits
      .command('tail')
      .description('show the latest visits, then new visits as they arrive, until Ctrl-C')
      .addOption(projectOption('project to watch')),
  )
    .option('-n, --last <n>', 'number of latest visits to show first', integerParser(0, 1_000), 10)
    .option('--json', 'print each visit as one line of JSON')
    .addHelpText('after', HELP)
    .action(async ({ project: projectName, last, json, ...filters }: TailCommandOptions) => {
      const { client } = await connect();
      const project = await findProject(client, projectName);
      const { signal, dispose } = onInterrupt();
      try {
        await tailVisits(client, project, { last, json: json ?? false, filters: toApiFilters(filters) }, signal);
      } finally {
        dispose();
      }
    });
  addFilterOptions(
    visits
      .command('export')
      .description('export visits to a file or standard output')
      .addOption(projectOption())
      .option('--from <time>', `start of the time range: ${TIME_VALUES}`, parseTime)
      .option('--to <time>', `end of the time range (exclusive): ${TIME_VALUES}`, parseTime),
  )
    .addOption(new Option('--format <format>', 'output format').choices(['csv', 'ndjson']).default('csv'))
    .option('-o, --output <file>', 'output file, replaced only when the export is complete (default: standard output)')
    .addHelpText('after', EXPORT_HELP)
    .action(async ({ project: projectName, format, output, ...filters }: ExportCommandOptions) => {
      const { client } = await connect();
      const project = await findProject(client, projectName);
      const { signal, dispose } = onInterrupt();
      try {
        const options = { format, filters: toApiFilters(filters), ...(output !== undefined && { output }) };
        await exportVisits(client, project, options, signal);
      } finally {
        dispose();
      }
    });
  visits
    .command('delete')
    .description('permanently delete all visits that contain an IP address, or all visits of a project')
    .option('-a, --address <address>', 'IP address whose visits to delete')
    .option('-p, --project <name|id>', 'project whose visits to delete')
    .option('--confirm <text>', 'address (or project name, without --address), to confirm the deletion')
    .addHelpText('after', DELETE_HELP)
    .action(async ({ address, project: projectName, confirm }: DeleteOptions) => {
      if (address === undefined && projectName === undefined) {
        throw new CliError('Specify what to delete with --address or --project.', { exitCode: EXIT.usage });
      }
      const { client } = await connect();
      const project = projectName === undefined ? undefined : await findProject(client, projectName);
      const expected = address ?? project!.name;
      if (confirm !== expected) {
        const what =
          address === undefined ? "--confirm doesn't match the project name" : "--confirm doesn't match the address";
        throw new CliError(`${what} "${escapeInvisible(expected)}". Nothing was deleted.`, {
          hint: 'Repeat the exact value with --confirm.',
          exitCode: EXIT.usage,
        });
      }
      await deleteVisits(client, {
        ...(address !== undefined && { address }),
        ...(project !== undefined && { project_id: project.id }),
      });
    });
  visits
    .command('test')
    .description('send a single signed test visit to a site')
    .argument('<url>', 'URL of a page on the site', parseUrl)
    .addOption(jsonOption())
    .addHelpText('after', TEST_HELP)
    .action(async (url: string, { json }: { json?: boolean }) => {
      const { client } = await connect();
      const visit = await client.post('/api/test-visits', { body: { url } });
      const answer = await sendTestVisit(visit);
      if (json) printJson({ ...visit, answer });
      else print(describeTestVisit(visit, answer));
    });
  visits.addCommand(reidentifyCommand(connect));
  visits.addCommand(replayCommand(connect));
  return visits;
}

function parseUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('It must be an http(s) URL such as https://example.com/.');
  }
  return text;
}
