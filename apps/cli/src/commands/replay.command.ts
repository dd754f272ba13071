import { Command } from 'commander';
import { parseTimestamp } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import { openDeadLetters, replayDeadLetters } from '../dead-letters.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { jsonOption, parseTime } from '../options.js';
import { note, print, printJson } from '../output.js';
import { findProject, listProjects } from '../project.js';
import { plural } from '../terminal-text.js';

const HELP = `
Puts back what was received in a time range: dead letters, by the time when they
failed, and, with Kafka, all requests that the topic visits.received.v1 still has
(7 days, unless you set its retention yourself). Visits keep their ids, so those that
are stored, or were deleted, are not stored again. New visits come first: the replay
waits while enrichment is behind.

Environment: AGENT_TRAFFIC_URL and AGENT_TRAFFIC_API_KEY, KAFKA_BROKERS and the other
KAFKA_ settings of the services. Without KAFKA_BROKERS, only dead letters are replayed.

Example:
  KAFKA_BROKERS=kafka:9092 agent-traffic visits replay --from 2026-11-21T10:00Z --to 2026-11-21T12:00Z`;

interface Options {
  project?: string;
  from: string;
  to: string;
  json?: boolean;
}

export function replayCommand(connect: Connect): Command {
  return new Command('replay')
    .description('process again what was received in a time range')
    .option('-p, --project <name|id>', 'only this project; without, all that the API key reaches')
    .requiredOption('--from <time>', 'received from this time on, ISO 8601', parseTime)
    .requiredOption('--to <time>', 'received before this time', parseTime)
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async ({ project: wanted, json, ...range }: Options) => {
      const from = parseTimestamp(range.from)!;
      const to = parseTimestamp(range.to)!;
      if (from >= to) throw new CliError('--from must be before --to.', { exitCode: EXIT.usage });
      const { client } = await connect();
      const projects = wanted === undefined ? await listProjects(client) : [await findProject(client, wanted)];
      let replayed = 0;
      for (const { id } of projects) {
        const letters = await openDeadLetters(client, id, ({ failed_at: at }) => {
          const failedAt = Date.parse(at);
          return failedAt >= from && failedAt < to;
        });
        replayed += await replayDeadLetters(client, letters);
      }
      const { signal, dispose } = onInterrupt();
      try {
        // Loaded lazily: the Kafka client takes longer to load than most commands run.
        const { replayRequests } = await import('../replay/replay-received.js');
        const requests = await replayRequests({
          projectIds: new Set(projects.map(({ id }) => id)),
          from,
          to,
          signal,
        });
        if (json) return printJson({ dead_letters: replayed, requests: requests?.replayed ?? null });
        if (requests === null) {
          note('Only Kafka keeps requests, and KAFKA_BROKERS is not set, so only dead letters were replayed.');
          note('To identify the stored visits again, without Kafka: agent-traffic visits reidentify --help');
        }
        const what = [plural(replayed, 'dead letter'), ...(requests ? [plural(requests.replayed, 'request')] : [])];
        print(`Replayed ${what.join(' and ')}.${signal.aborted ? ' The replay was stopped before the end.' : ''}`);
      } finally {
        dispose();
      }
    });
}
