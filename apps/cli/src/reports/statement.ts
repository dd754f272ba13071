import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { CliError, ConnectionError } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { parseTime, projectOption } from '../options.js';
import { escapeForOutput, note } from '../output.js';
import { findProject } from '../project.js';
import { writeAtomically } from '../replace-file.js';

const HELP = `
Covers full days in UTC. HTML is a document for people, NDJSON has one record per
line for programs. Both end with a signature that "agent-traffic statement verify"
checks. The same data always results in the same file.

Examples:
  agent-traffic report statement --operator OpenAI --from 2026-11-01 --to 2026-12-01 --output openai.html
  agent-traffic report statement --operator OpenAI --format ndjson | jq -c 'select(.record == "total")'`;

interface Options {
  project?: string;
  operator: string;
  from?: string;
  to?: string;
  format: 'html' | 'ndjson';
  output?: string;
  withAddresses?: boolean;
}

/** Parses a day like {@link parseTime}. A time span becomes the UTC day that it started on. */
function parseDay(text: string): string {
  const time = parseTime(text);
  return time === text ? text : time.slice(0, 10);
}

/** Creates `report statement`, which downloads a signed statement of an operator's fetches. */
export function statementReportCommand(connect: Connect): Command {
  return new Command('statement')
    .description("download a signed statement of an operator's fetches, for people or programs")
    .addOption(projectOption())
    .requiredOption('--operator <name>', 'company that operates the agents, as in the catalog')
    .option(
      '--from <day>',
      'first day (UTC), such as 2026-11-01 or 30d for 30 days ago (default: 30 days before --to)',
      parseDay,
    )
    .option('--to <day>', 'day after the last day (UTC) (default: today)', parseDay)
    .addOption(new Option('--format <format>', 'file format').choices(['html', 'ndjson']).default('html'))
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .option('--with-addresses', 'include client addresses')
    .addHelpText('after', HELP)
    .action(async ({ project, operator, from, to, format, output, withAddresses = false }: Options) => {
      const { client } = await connect();
      const { id } = await findProject(client, project);
      const { signal, dispose } = onInterrupt();
      const addresses = withAddresses ? 'include' : 'omit';
      try {
        const stream = await client.stream(
          '/api/projects/{id}/statement',
          { accept: '*/*', signal },
          {
            params: {
              path: { id },
              query: { operator, format, addresses, ...(from && { from }), ...(to && { to }) },
            },
          },
        );
        if (output === undefined) await pipeline(stream, escapeForOutput, process.stdout, { signal, end: false });
        else {
          await writeAtomically(output, (unfinished) =>
            pipeline(stream, createWriteStream(unfinished, { flags: 'wx' }), { signal }),
          );
          note(`Saved the statement to ${output}`);
        }
      } catch (error) {
        const isExplained = error instanceof CliError && !(error instanceof ConnectionError);
        if (isExplained || (error as NodeJS.ErrnoException).code === 'EPIPE') throw error;
        const reason = signal.aborted ? 'interrupted' : (error as Error).message;
        throw new CliError(`The statement is incomplete: ${reason}.`, {
          hint: 'If reading took too long, choose a shorter range.',
          cause: error,
        });
      } finally {
        dispose();
      }
    });
}
