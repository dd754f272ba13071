import { Command } from 'commander';
import { DEMO_PROJECT } from '#libs/demo';
import { CliError } from '../cli-error.js';
import { removeDemo, seedDemo } from '../demo/seed-demo.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { wholeNumber } from '../options.js';
import { count } from '../terminal-text.js';
import { print } from '../output.js';

const HELP = `
The visits go into a project of their own, "${DEMO_PROJECT.name}", as a site would
report them: crawlers with their rhythms, assistants and MCP calls, people, some
of them sent by assistants, and impostors that only claim to be an agent. The
last days tell a story: a new agent, one that comes more often, one that stays
away, a wave of impostors, and an outage.
The instance finds out which is which. "Failed" takes an address list that was
fetched in the last 7 days and a visit from that time, or a broken signature.

Takes an API key with admin rights.

Examples:
  agent-traffic demo seed
  agent-traffic demo seed --days 7
  agent-traffic demo remove`;

export function demoCommand(connect: Connect): Command {
  const demo = new Command('demo').description('fill the dashboard with made-up visits').addHelpText('after', HELP);
  demo
    .command('seed')
    .description(`create the visits of several days in a project "${DEMO_PROJECT.name}"`)
    .option('--days <n>', 'how many days, until now', wholeNumber(1, 90), 30)
    .option('--seed <n>', 'random seed: another number makes other visits', wholeNumber(0, 1_000_000), 1)
    .action(async (options: { days: number; seed: number }) => {
      const { client } = await connect();
      const started = Date.now();
      const { signal, dispose } = onInterrupt();
      try {
        const { projectId, visits } = await seedDemo(client, options, signal);
        const seconds = ((Date.now() - started) / 1_000).toFixed(1);
        print(`Created ${count(visits)} visits in ${seconds} s, in project "${DEMO_PROJECT.name}" ${projectId}`);
        print('To delete them: agent-traffic demo remove');
      } finally {
        dispose();
      }
    });
  demo
    .command('remove')
    .description('remove that project, with everything in it')
    .action(async () => {
      const { client } = await connect();
      if (!(await removeDemo(client))) throw new CliError('There is no demo data.');
      print(`Removed project "${DEMO_PROJECT.name}"; its visits are deleted in the background.`);
    });
  return demo;
}
