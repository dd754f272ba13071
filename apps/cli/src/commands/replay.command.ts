import { Command } from 'commander';
import { parseTimestamp } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import { openDeadLetters, replayDeadLetters } from '../dead-letters.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { jsonOption, parseTime, projectOption } from '../options.js';
import { note, print, printJson } from '../output.js';
import { findProject } from '../project.js';
import { plural } from '../terminal-text.js';

const HELP = `
Puts back what came within a time: dead letters, and, with Kafka, all requests that
the topic visits.received.v1 still has (7 days, unless it was made otherwise). Visits
keep their ids, so those that are stored, or were deleted, are not stored again. New
visits come first: it waits while enrichment is behind.

Environment: KAFKA_BROKERS, and the other KAFKA_ settings of the services. Without it
only dead letters are replayed.

Example:
  KAFKA_BROKERS=kafka:9092 agent-traffic visits replay --from 2026-11-21T10:00Z --to 2026-11-21T12:00Z`;

interface Options {
  project?: string;
  from: string;
  to: string;
  json?: boolean;
}

/** Puts visits of a time back into the pipeline. */
export function replayCommand(connect: Connect): Command {
  return new Command('replay')
    .description('process again what was received within a time')
    .addOption(projectOption())
    .requiredOption('--from <time>', 'what came from this time on, ISO 8601', parseTime)
    .requiredOption('--to <time>', 'what came before this time', parseTime)
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async ({ project: wanted, json, ...range }: Options) => {
      const from = parseTimestamp(range.from)!;
      const to = parseTimestamp(range.to)!;
      if (from >= to) throw new CliError('--from must be before --to.', { exitCode: EXIT.usage });
      const { client } = await connect();
      const { id } = await findProject(client, wanted);
      const letters = await openDeadLetters(client, id, ({ failed_at: at }) => {
        const failedAt = Date.parse(at);
        return failedAt >= from && failedAt < to;
      });
      const replayed = await replayDeadLetters(client, letters);
      const { signal, dispose } = onInterrupt();
      try {
        // Only here: what it stands on takes longer to load than other commands to run.
        const { replayRequests } = await import('../replay/replay-received.js');
        const requests = await replayRequests({ projectId: id, from, to, signal });
        if (json) return printJson({ dead_letters: replayed, requests: requests?.replayed ?? null });
        if (requests === null) note('Requests are kept by Kafka alone, and KAFKA_BROKERS is not set.');
        const what = [plural(replayed, 'dead letter'), ...(requests ? [plural(requests.replayed, 'request')] : [])];
        print(`Replayed ${what.join(' and ')}.${signal.aborted ? ' It was stopped before the end.' : ''}`);
      } finally {
        dispose();
      }
    });
}
