import { Command } from 'commander';
import { MAX_RECORDED_ROBOTS_LENGTH, type NewRobotsVersion, type RobotsVersion } from '#libs/contracts';
import { readRobotsFile, recordsOf, robotsText } from '#libs/robots';
import { CliError, EXIT } from '../cli-error.js';
import { readInput } from '../input-file.js';
import type { Connect } from '../instance.js';
import { jsonOption, parseTime, projectOption, wholeNumber } from '../options.js';
import { findProject } from '../project.js';
import { quoted } from '../robots/decision-text.js';
import { localTime, plural, visible } from '../terminal-text.js';
import { note, print, printJson } from '../output.js';

const HELP = `
The instance fetches robots.txt by itself every hour. Record it where the
instance cannot reach the site, to the second at each release, or for visits of
the past. What is recorded again changes nothing. What is not a robots.txt, such
as an error page, is refused.

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
    .description('record what a host serves as robots.txt, by which visits are judged')
    .argument('[file|-]', 'the robots.txt; not with a --status other than 200 (default: standard input)')
    .addOption(projectOption())
    .option('--host <name>', "one of the project's hosts (default: the first)")
    .option('--from <time>', 'from when on it is served, ISO 8601 (default: now)', parseTime)
    .option(
      '--status <status>',
      'what the host answers: 404 for no robots.txt, 503 where it fails',
      wholeNumber(200, 599),
    )
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, { project: wanted, host, from, status, json }: RecordOptions) => {
      const hasFile = status === undefined || status === 200;
      if (!hasFile && file !== undefined) {
        throw new CliError(`A host that answers with status ${status} serves no robots.txt. Leave out ${file}.`, {
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
      const project = await findProject(client, wanted);
      const version = await client.post('/api/projects/{id}/robots-versions', {
        params: { path: { id: project.id } },
        body,
      });
      if (version.is_cut) note('Only the first 500 KiB count: crawlers read no more.');
      if (json) printJson(version);
      else print(described(version, text));
    });
}

/** @throws CliError if the text is clearly not a robots.txt. Without any rules, it would allow everything. */
async function readRobotsText(file: string): Promise<string> {
  const text = robotsText(Buffer.from(await readInput(file)), MAX_RECORDED_ROBOTS_LENGTH);
  const exitCode = EXIT.usage;
  if (file === '-' && text.trim() === '') {
    throw new CliError('Standard input is empty, so nothing was recorded.', {
      exitCode,
      hint:
        'The command that should write to it may have failed. If the host really serves an empty robots.txt, which allows\n' +
        'everything, name an empty file instead.',
    });
  }
  const bytes = Buffer.from(text);
  const stray = [...recordsOf(bytes, bytes.length)].find((line) => line.text !== '' && !FIELD_NAME.test(line.kind));
  if (stray === undefined || readRobotsFile(bytes).groups.length > 0) return text;
  const name = file === '-' ? 'Standard input' : visible(file);
  throw new CliError(
    `${name} is not a robots.txt: it has no User-agent line, and line ${stray.line} is ${quoted(stray)}.`,
    {
      exitCode,
      hint:
        'It may be an error page: curl leaves these out with -f. If the host really serves this, crawlers find no rules in it:\n' +
        'record it with --status 404.',
    },
  );
}

/** Field names in lowercase. Crawlers skip unknown ones. */
const FIELD_NAME = /^[a-z-]+$/;

function described({ host, served_from: from, served_until: until, ...version }: RobotsVersion, text?: string): string {
  const when = until === null ? 'on' : `until ${localTime(until)}, when the next version begins`;
  return `Recorded for ${visible(host)}, from ${localTime(from)} ${when}: ${meaningOf(version, text)}`;
}

/** Describes a host's response and what it means to crawlers (RFC 9309 section 2.3.1). */
function meaningOf({ status, size }: Pick<RobotsVersion, 'status' | 'size'>, text = ''): string {
  if (size === null) {
    if (status !== null && status < 500) return `no robots.txt (status ${status}), which allows everything`;
    return `${status === null ? 'no answer' : `an error (status ${status})`}, which disallows everything`;
  }
  const what = size === 0 ? 'an empty robots.txt' : `a robots.txt of ${plural(size, 'byte')}`;
  const rules = readRobotsFile(Buffer.from(text)).groups.flatMap((group) => group.rules);
  return rules.every((rule) => rule.isAllow) ? `${what}, which allows everything` : what;
}
