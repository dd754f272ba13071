import { Command } from 'commander';
import { MAX_RECORDED_ROBOTS_LENGTH, type NewRobotsVersion, type RobotsVersion } from '#libs/contracts';
import { robotsText } from '#libs/robots';
import { CliError, EXIT } from '../cli-error.js';
import { readInput } from '../input-file.js';
import type { Connect } from '../instance.js';
import { jsonOption, parseTime, projectOption, wholeNumber } from '../options.js';
import { findProject } from '../project.js';
import { localTime, plural, visible } from '../terminal-text.js';
import { note, print, printJson } from '../output.js';

const HELP = `
The instance fetches robots.txt by itself every hour. Record it where the
instance cannot reach the site, to the second at each release, or for visits of
the past. What is recorded again changes nothing.

Examples:
  agent-traffic robots record /var/www/html/robots.txt
  curl -s https://shop.example/robots.txt | agent-traffic robots record - --host shop.example
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
    .option('--status <status>', 'what the host answers: 404 for no robots.txt', wholeNumber(200, 599))
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, { project: wanted, host, from, status, json }: RecordOptions) => {
      const hasFile = status === undefined || status === 200;
      if (!hasFile && file !== undefined) {
        throw new CliError(`A host that answers with status ${status} serves no robots.txt. Leave out ${file}.`, {
          exitCode: EXIT.usage,
        });
      }
      const body: NewRobotsVersion = {
        ...(hasFile && { text: robotsText(Buffer.from(await readInput(file ?? '-')), MAX_RECORDED_ROBOTS_LENGTH) }),
        ...(host !== undefined && { host }),
        ...(from !== undefined && { served_from: from }),
        ...(status !== undefined && { status }),
      };
      const { client } = await connect();
      const project = await findProject(client, wanted);
      const version = await client.post<RobotsVersion>(`/api/projects/${project.id}/robots-versions`, body);
      if (version.is_cut) note('Only the first 500 KiB count: crawlers read no more.');
      if (json) printJson(version);
      else print(described(version));
    });
}

function described({ host, served_from: from, status, size }: RobotsVersion): string {
  const what = size === null ? `no robots.txt (status ${status})` : `a robots.txt of ${plural(size, 'byte')}`;
  return `Recorded for ${visible(host)}, from ${localTime(from)} on: ${what}`;
}
