import { Argument, Command } from 'commander';
import type { Drain } from '#libs/contracts';
import { DRAIN_SOURCES, SAMPLE_PATH, type DrainSource } from '#libs/drains';
import { drainTestText, testDrain } from '../drains/test-drain.js';
import type { Connect } from '../instance.js';
import { jsonOption, projectOption } from '../options.js';
import { accessProject, findProject } from '../project.js';
import { count, localTime, table, visible } from '../terminal-text.js';
import { print, printJson } from '../output.js';

const HELP = `
A drain is a log that a CDN, a server or a collector sends automatically, to
/drains/SOURCE of the instance. "test" sends two lines as that source does: with
what it shows to be let in, its wrapping and its compression. The first is
recorded as a visit to ${SAMPLE_PATH}; the second asks for an
image, which is left out unless the project wants static files.

Examples:
  agent-traffic drains list
  agent-traffic drains test cloudflare-logpush
  agent-traffic drains test vercel --vercel-secret "$SECRET"`;

interface Options {
  project?: string;
  json?: boolean;
}

export function drainsCommand(connect: Connect): Command {
  const drains = new Command('drains').description('try and list logs that others send').addHelpText('after', HELP);
  drains
    .command('test')
    .description('send a sample as a source does, and say what arrived')
    .addArgument(new Argument('<source>', 'who sends').choices(DRAIN_SOURCES))
    .addOption(projectOption())
    .option('--vercel-secret <secret>', 'sign as Vercel does')
    .addOption(jsonOption())
    .action(async (source: DrainSource, { project, vercelSecret, json }: Options & { vercelSecret?: string }) => {
      const instance = await connect();
      const { token } = await accessProject(instance, project);
      const tests = await testDrain(instance.client, source, { token, now: new Date(), secret: vercelSecret });
      if (json) printJson(tests);
      else for (const test of tests) print(drainTestText(test));
    });
  drains
    .command('list')
    .description('list the sources that sent something, and the last lines that could not be read')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async ({ project: wanted, json }: Options) => {
      const { client } = await connect();
      const project = await findProject(client, wanted);
      const { drains: all } = await client.get('/api/projects/{id}/drains', { params: { path: { id: project.id } } });
      if (json) return printJson(all);
      if (all.length === 0)
        return print('No source has sent anything yet. To try one: agent-traffic drains test SOURCE');
      print(table(['SOURCE', 'LAST BATCH', 'LINES', 'VISITS', 'STATIC FILES', 'LEFT OUT', 'UNREADABLE'], all.map(row)));
      for (const { source, unreadable_lines: lines } of all) {
        for (const { reason, text } of lines) print(`\n${source}: ${visible(reason)}\n  ${visible(text)}`);
      }
    });
  return drains;
}

const row = ({ source, last_batch_at: last, totals }: Drain): string[] => [
  source,
  localTime(last),
  ...[totals.lines, totals.visits, totals.static_files, totals.left_out, totals.unreadable].map(count),
];
