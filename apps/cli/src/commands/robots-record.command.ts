import { Command } from 'commander';
import { MAX_RECORDED_ROBOTS_LENGTH, type NewRobotsVersion, type RobotsVersion } from '#libs/contracts';
import { parseRobotsFile, parseRecords, decodeRobotsText } from '#libs/robots';
import { CliError, EXIT } from '../cli-error.js';
import { readInput } from '../input-file.js';
import type { Connect } from '../instance.js';
import { jsonOption, parseTime, TIME_VALUES, projectOption, integerParser } from '../options.js';
import { findProject } from '../project.js';
import { quoteLine } from '../robots/decision-text.js';
import { localTime, plural, escapeInvisible } from '../terminal-text.js';
import { note, print, printJson } from '../output.js';

const HELP = `
The instance fetches robots.txt every hour. Record it yourself if the instance
can't reach the site, if you want exact times for each release, or for past
visits. Recording the same content again changes nothing. A file that isn't a
robots.txt, such as an error page, is rejected.

Examples:
  agent-traffic robots record /var/www/html/robots.txt
  curl -fsS https://shop.example/robots.txt | agent-traffic robots record - --host shop.example
  agent-traffic robots record old-robots.txt --from 2026-10-01T00:00:00Z
  agent-traffic robots record --status 404`;

interface RecordOptions {
  project?: string;
  host?: string;
  from?: string;
  status?: number;
  json?: boolean;
}

export function recordCommand(connect: Connect): Command {
  return new Command('record')
    .description("record a host's robots.txt, which visits are then judged by")
    .argument('[file|-]', 'robots.txt file; not allowed with a --status other than 200 (default: standard input)')
    .addOption(projectOption())
    .option('--host <name>', "one of the project's host names (default: the first)")
    .option('--from <time>', `time since the host has served it: ${TIME_VALUES} (default: now)`, parseTime)
    .option(
      '--status <status>',
      'response status to record: 404 if there is no robots.txt, 503 if the host fails (default: 200)',
      integerParser(200, 599),
    )
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, { project: projectName, host, from, status, json }: RecordOptions) => {
      const hasFile = status === undefined || status === 200;
      if (!hasFile && file !== undefined) {
        throw new CliError(`A host that responds with status ${status} doesn't serve a robots.txt. Omit ${file}.`, {
          exitCode: EXIT.usage,
        });
      }
      const text = hasFile ? await readRobotsText(file ?? '-') : undefined;
      const body: NewRobotsVersion = {
        ...(text !== undefined && { text }),
        ...(host !== undefined && { host }),
        ...(from !== undefined && { served_from: from }),
        ...(status !== undefined && { status }),
      };
      const { client } = await connect();
      const project = await findProject(client, projectName);
      const version = await client.post('/api/projects/{id}/robots-versions', {
        params: { path: { id: project.id } },
        body,
      });
      if (version.is_cut) note('Only the first 500 KiB count, because crawlers may ignore the rest.');
      if (json) printJson(version);
      else print(describeVersion(version, text));
    });
}

/** @throws {CliError} if the text clearly isn't a robots.txt. If it were recorded, it would allow everything. */
async function readRobotsText(file: string): Promise<string> {
  const text = decodeRobotsText(Buffer.from(await readInput(file)), MAX_RECORDED_ROBOTS_LENGTH);
  const exitCode = EXIT.usage;
  if (file === '-' && text.trim() === '') {
    throw new CliError('Standard input is empty, so nothing was recorded.', {
      exitCode,
      hint:
        'The command that writes to it may have failed. To record an empty robots.txt, which allows everything,\n' +
        'pass an empty file instead.',
    });
  }
  const bytes = Buffer.from(text);
  const invalidLine = [...parseRecords(bytes, bytes.length)].find((line) => !FIELD_NAME.test(line.kind));
  if (invalidLine === undefined || parseRobotsFile(bytes).groups.length > 0) return text;
  const name = file === '-' ? 'Standard input' : escapeInvisible(file);
  throw new CliError(
    `${name} is not a robots.txt: it has no User-agent line, and line ${invalidLine.line} is ${quoteLine(invalidLine)}.`,
    {
      exitCode,
      hint:
        'It may be an error page. Use curl -f to avoid saving these. If the host really serves this file, crawlers find\n' +
        'no rules in it, so record it with --status 404.',
    },
  );
}

/** Lowercase field name. Unknown names are valid, because crawlers ignore them. */
const FIELD_NAME = /^[a-z-]+$/;

function describeVersion(
  { host, served_from: from, served_until: until, ...version }: RobotsVersion,
  text?: string,
): string {
  const when = until === null ? 'on' : `until ${localTime(until)}, when the next version takes effect`;
  return `Recorded for ${escapeInvisible(host)}, from ${localTime(from)} ${when}: ${describeMeaning(version, text)}`;
}

/** Describes a host's response and its effect on crawlers (RFC 9309, section 2.3.1). */
function describeMeaning({ status, size }: Pick<RobotsVersion, 'status' | 'size'>, text = ''): string {
  if (size === null) {
    if (status !== null && status < 500) return `no robots.txt (status ${status}), which allows everything`;
    return `${status === null ? 'no response' : `an error (status ${status})`}, which disallows everything`;
  }
  const what = size === 0 ? 'an empty robots.txt' : `a robots.txt of ${plural(size, 'byte')}`;
  const rules = parseRobotsFile(Buffer.from(text)).groups.flatMap((group) => group.rules);
  return rules.every((rule) => rule.isAllow) ? `${what}, which allows everything` : what;
}
