import { Command, InvalidArgumentError, Option } from 'commander';
import { TIMELINE_FILTERS, valuesOf } from '#libs/contracts';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { jsonOption, collect, oneOf, parseTime, projectOption, wholeNumber } from '../options.js';
import { CliError, EXIT } from '../cli-error.js';
import { findProject } from '../project.js';
import { visible } from '../terminal-text.js';
import { describeTestVisit, sendTestVisit } from '../test-visit.js';
import { deleteVisits } from '../visit-deletion.js';
import { exportVisits } from '../visit-export.js';
import { tailVisits, type TailOptions } from '../visit-tail.js';
import { print, printJson } from '../output.js';
import { reidentifyCommand } from './reidentify.command.js';
import { replayCommand } from './replay.command.js';

/** Filters with more values don't list them in the help. */
const SHOWN_VALUES = 6;

const TEST_HELP = `
The instance signs the request as its test agent (Web Bot Auth); this machine
sends it, once, and follows no redirect. Use it to see whether a site reports
its visits, and whether proxies in front of it keep signatures intact.

Example:
  agent-traffic visits test https://example.com/`;

const EXPORT_HELP = `
Visits are written newest first, one per line. CSV has the most important
fields, NDJSON all of them. In CSV, text that a spreadsheet would take for a
formula gets an apostrophe in front.

Examples:
  agent-traffic visits export --output visits.csv
  agent-traffic visits export --from 2026-11-01 --result verification_failed --output spoofed.csv
  agent-traffic visits export --format ndjson --agent GPTBot | jq -r .client_address | sort | uniq -c`;

const DELETE_HELP = `
With an address, visits that hold it are deleted, as the visitor's address or
anywhere else, with the dead letters and refused requests that do; in all
projects, or in one. With a project alone, all of its visits are. Counts stay:
they hold neither addresses nor headers.

It does not reach backups, exports, consumers of your own, or Kafka, which
keeps messages for 7 days and dead letters for 30.

Examples:
  agent-traffic visits delete --address 203.0.113.7 --confirm 203.0.113.7
  agent-traffic visits delete --project "My site" --confirm "My site"`;

const HELP = `
Verdicts: ✔ verified, ✖ spoofed (the verification failed), ? not verifiable, · unknown agent or a person.

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

function withFilters(command: Command): Command {
  for (const [name, filter] of Object.entries(TIMELINE_FILTERS)) {
    if (!('argument' in filter)) continue;
    const values = valuesOf(filter);
    const help = filter.description.split('. ')[0]!.replace(/^[A-Z](?![A-Z])/, (start) => start.toLowerCase());
    const choices = values === null || values.length > SHOWN_VALUES ? '' : `: ${values.join(', ')}`;
    command.option(
      `--${name.replaceAll('_', '-')} <${filter.argument}>`,
      `${help}, repeatable${choices}`,
      values === null ? collect : oneOf(values),
    );
  }
  return command;
}

/** Restores the API's names: commander converts `mcp-tool` to `mcpTool`. */
const filtersOf = (filters: FilterOptions): TailOptions['filters'] =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

export function visitsCommand(connect: Connect): Command {
  const visits = new Command('visits').description(
    'watch, export, delete, replay and re-identify visits, and send a test visit',
  );
  withFilters(
    visits
      .command('tail')
      .description('show the latest visits and then every new one, until Ctrl-C')
      .addOption(projectOption('the project to watch')),
  )
    .option('-n, --last <n>', 'how many of the latest visits to start with', wholeNumber(0, 1_000), 10)
    .option('--json', 'print each visit as one line of JSON')
    .addHelpText('after', HELP)
    .action(async ({ project: wanted, last, json, ...filters }: TailCommandOptions) => {
      const { client } = await connect();
      const project = await findProject(client, wanted);
      const { signal, dispose } = onInterrupt();
      try {
        await tailVisits(client, project, { last, json: json ?? false, filters: filtersOf(filters) }, signal);
      } finally {
        dispose();
      }
    });
  withFilters(
    visits
      .command('export')
      .description('write visits to a file, or to standard output')
      .addOption(projectOption())
      .option('--from <time>', 'not before this time, ISO 8601', parseTime)
      .option('--to <time>', 'before this time', parseTime),
  )
    .addOption(new Option('--format <format>', 'what is written').choices(['csv', 'ndjson']).default('csv'))
    .option('-o, --output <file>', 'the output file, replaced once it is complete')
    .addHelpText('after', EXPORT_HELP)
    .action(async ({ project: wanted, format, output, ...filters }: ExportCommandOptions) => {
      const { client } = await connect();
      const project = await findProject(client, wanted);
      const { signal, dispose } = onInterrupt();
      try {
        const options = { format, filters: filtersOf(filters), ...(output !== undefined && { output }) };
        await exportVisits(client, project, options, signal);
      } finally {
        dispose();
      }
    });
  visits
    .command('delete')
    .description('permanently delete the visits of an address or a project; counts stay')
    .option('-a, --address <address>', 'an IP address; visits that hold it are deleted')
    .option('-p, --project <name|id>', 'only visits of this project')
    .option('--confirm <text>', "the address once more, or without one the project's name")
    .addHelpText('after', DELETE_HELP)
    .action(async ({ address, project: wanted, confirm }: DeleteOptions) => {
      if (address === undefined && wanted === undefined) {
        throw new CliError('Choose what to delete with --address or --project.', { exitCode: EXIT.usage });
      }
      const { client } = await connect();
      const project = wanted === undefined ? undefined : await findProject(client, wanted);
      const expected = address ?? project!.name;
      if (confirm !== expected) {
        const what = address === undefined ? "The project's name" : 'The address';
        throw new CliError(`${what} is "${visible(expected)}", nothing was deleted.`, {
          hint: 'Repeat it exactly with --confirm.',
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
    .description('visit a site once as the signed test agent')
    .argument('<url>', 'a page of the site', parseUrl)
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
    throw new InvalidArgumentError('It must be an http(s) address such as https://example.com/.');
  }
  return text;
}
