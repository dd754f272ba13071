import { Command } from 'commander';
import { styleText } from 'node:util';
import { EXIT } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { escapeInvisible } from '../terminal-text.js';
import { print } from '../output.js';

const HELP = `
By default, doctor checks the instance on this machine. To check a distributed deployment, set AGENT_TRAFFIC_URL and
the environment of its services (DATABASE_URL, KAFKA_BROKERS, …). The command changes nothing.

Exit codes: 0 no errors found, 1 errors found.`;

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], fault: ['red', '✗'] } as const;

export function doctorCommand(connect: Connect, exit: (code: number) => void): Command {
  return new Command('doctor')
    .summary('find problems in the configuration and suggest fixes')
    .description(
      'check the configuration, database, topics, clock, disk and address lists, and suggest a fix for each problem',
    )
    .addHelpText('after', HELP)
    .action(async () => {
      // Imported lazily because it loads slowly.
      const { runChecks: examine } = await import('../doctor/doctor.js');
      const { client } = await connect();
      const isHealthy = await examine({
        client,
        onFinding: ({ subject, status, detail, advice }) => {
          const [color, mark] = MARKS[status];
          print(`${styleText(color, mark)} ${subject.padEnd(22)} ${escapeInvisible(detail)}`);
          if (advice !== undefined) print(`  ${''.padEnd(22)} → ${advice}`);
        },
      });
      if (!isHealthy) exit(EXIT.failure);
    });
}
