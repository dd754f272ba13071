import { Argument, Command } from 'commander';
import type { Drain } from '#libs/contracts';
import { DRAIN_SOURCES, SAMPLE_PATH, type DrainSource } from '#libs/drains';
import { formatDrainTest, testDrain } from '../drains/test-drain.js';
import type { Connect } from '../instance.js';
import { jsonOption, projectOption } from '../options.js';
import { getProjectAccess, findProject } from '../project.js';
import { count, localTime, renderTable, escapeInvisible } from '../terminal-text.js';
import { print, printJson } from '../output.js';

const HELP = `
A drain is a log stream that a CDN, a server or a log collector pushes to
/drains/SOURCE on the instance. "test" sends two log lines the way that source
does, with its authentication, envelope and compression. The first line is
recorded as a visit to ${SAMPLE_PATH}. The second requests an
image, which is ignored unless the project records static files.

Examples:
  agent-traffic drains list
  agent-traffic drains test cloudflare-logpush
  agent-traffic drains test vercel --vercel-secret "$SECRET"`;

interface Options {
  project?: string;
  json?: boolean;
}

export function drainsCommand(connect: Connect): Command {
  const drains = new Command('drains')
    .description('list log drains and send test data to them')
    .addHelpText('after', HELP);
  drains
    .command('test')
    .description('send sample log lines as a source would, and show what the instance recorded')
    .addArgument(new Argument('<source>', 'log source to simulate').choices(DRAIN_SOURCES))
    .addOption(projectOption())
    .option('--vercel-secret <secret>', 'secret for signing requests the way Vercel does')
    .addOption(jsonOption())
    .action(async (source: DrainSource, { project, vercelSecret, json }: Options & { vercelSecret?: string }) => {
      const instance = await connect();
      const { token } = await getProjectAccess(instance, project, 'drain');
      const tests = await testDrain(instance.client, source, { token, now: new Date(), secret: vercelSecret });
      if (json) printJson(tests);
      else for (const test of tests) print(formatDrainTest(test));
    });
  drains
    .command('list')
    .description('list sources that have sent logs, with the latest lines that could not be parsed')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async ({ project: projectName, json }: Options) => {
      const { client } = await connect();
      const project = await findProject(client, projectName);
      const { drains: all } = await client.get('/api/projects/{id}/drains', { params: { path: { id: project.id } } });
      if (json) return printJson(all);
      if (all.length === 0)
        return print('No source has sent logs yet. To send a test: agent-traffic drains test SOURCE');
      print(
        renderTable(
          ['SOURCE', 'LAST BATCH', 'LINES', 'VISITS', 'STATIC FILES', 'IGNORED', 'UNREADABLE'],
          all.map(toRow),
        ),
      );
      for (const { source, unreadable_lines: lines } of all) {
        for (const { reason, text } of lines)
          print(`\n${source}: ${escapeInvisible(reason)}\n  ${escapeInvisible(text)}`);
      }
    });
  return drains;
}

const toRow = ({ source, last_batch_at: last, totals }: Drain): string[] => [
  source,
  localTime(last),
  ...[totals.lines, totals.visits, totals.static_files, totals.left_out, totals.unreadable].map(count),
];
