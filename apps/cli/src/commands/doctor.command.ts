import { Command } from 'commander';
import { styleText } from 'node:util';
import { EXIT } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { visible } from '../terminal-text.js';
import { print } from '../output.js';

const HELP = `
Set the environment that the services have (DATABASE_URL, KAFKA_BROKERS, … and AGENT_TRAFFIC_URL) to check what they
use; without it, doctor checks the instance on this machine. It changes nothing.

Exit codes: 0 no faults, 1 faults.`;

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], fault: ['red', '✗'] } as const;

export function doctorCommand(connect: Connect, exit: (code: number) => void): Command {
  return new Command('doctor')
    .description(
      'check configuration, database, topics, clock, disk and address lists, and say how to fix each problem',
    )
    .addHelpText('after', HELP)
    .action(async () => {
      // Loaded lazily: this import takes longer than most commands run.
      const { examine } = await import('../doctor/doctor.js');
      const { client } = await connect();
      const isWell = await examine({
        client,
        tell: ({ subject, status, detail, advice }) => {
          const [color, mark] = MARKS[status];
          print(`${styleText(color, mark)} ${subject.padEnd(22)} ${visible(detail)}`);
          if (advice !== undefined) print(`  ${''.padEnd(22)} → ${advice}`);
        },
      });
      if (!isWell) exit(EXIT.failure);
    });
}
