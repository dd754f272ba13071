import { Command } from 'commander';
import { DEFAULT_DEMO_DAYS } from '#libs/contracts';
import { DEMO_PROJECT } from '#libs/demo';
import { CliError } from '../cli-error.js';
import { removeDemo, seedDemo } from '../demo/seed-demo.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { integerParser } from '../options.js';
import { count } from '../terminal-text.js';
import { print } from '../output.js';

const HELP = `
Sample visits go into a separate project, "${DEMO_PROJECT.name}", in the form in
which a site reports them. They include crawlers, assistants, MCP calls, people,
some of them referred by assistants, and impostors that pose as agents. In the
last few days, a new agent appears, one agent visits more often, another stops
visiting, a wave of impostors arrives, and the site has an outage. New visits are
added until you remove the demo.

The instance identifies and verifies these visits like any others. Impostors fail
verification if their signature is invalid, or if the visit is less than 7 days
old and the agent's address list was fetched in that time.

Requires an API key with admin rights.

Examples:
  agent-traffic demo seed
  agent-traffic demo seed --days 7
  agent-traffic demo remove`;

export function demoCommand(connect: Connect): Command {
  const demo = new Command('demo').description('fill the dashboard with sample visits').addHelpText('after', HELP);
  demo
    .command('seed')
    .description(`create sample visits in a project named "${DEMO_PROJECT.name}"`)
    .option('--days <n>', 'number of days of visits, up to now', integerParser(1, 90), DEFAULT_DEMO_DAYS)
    .option('--seed <n>', 'random seed; a different seed creates different visits', integerParser(0, 1_000_000), 1)
    .option('--no-live', "don't add new visits over time")
    .action(async (options: { days: number; seed: number; live: boolean }) => {
      const { client } = await connect();
      const startedAt = Date.now();
      const { signal, dispose } = onInterrupt();
      try {
        const { projectId, visits } = await seedDemo(client, options, signal);
        const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
        print(`Created ${count(visits)} visits in ${seconds} s in project "${DEMO_PROJECT.name}" ${projectId}`);
        print('To delete them: agent-traffic demo remove');
      } finally {
        dispose();
      }
    });
  demo
    .command('remove')
    .description('delete the demo project and everything in it')
    .action(async () => {
      const { client } = await connect();
      if (!(await removeDemo(client))) throw new CliError('There is no demo project to remove.');
      print(`Removed project "${DEMO_PROJECT.name}". Its visits are being deleted in the background.`);
    });
  return demo;
}
