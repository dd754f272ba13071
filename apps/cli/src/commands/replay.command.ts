import { Command } from 'commander';
import { parseTimestamp } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import { findUnreplayedIds, replayDeadLetters } from '../dead-letters.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { jsonOption, parseTime, TIME_VALUES } from '../options.js';
import { note, print, printJson } from '../output.js';
import { findProject, listProjects } from '../project.js';
import { plural } from '../terminal-text.js';

const HELP = `
Replays dead letters that failed in a time range. With Kafka, also replays the requests
received in that range, as long as the topic visits.received.v1 retains them (7 days by
default). Visits keep their IDs, so visits that are already stored or were deleted aren't
stored again. New visits have priority: the replay waits while enrichment is behind.

Environment: AGENT_TRAFFIC_URL, AGENT_TRAFFIC_API_KEY, KAFKA_BROKERS and the services'
other KAFKA_ settings. Without KAFKA_BROKERS, only dead letters are replayed.

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
    .description('process visits from a time range again')
    .option('-p, --project <name|id>', 'only this project (default: all projects that the API key can access)')
    .requiredOption('--from <time>', `start of the time range: ${TIME_VALUES}`, parseTime)
    .requiredOption('--to <time>', `end of the time range (exclusive): ${TIME_VALUES}`, parseTime)
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async ({ project: projectName, json, ...range }: Options) => {
      const from = parseTimestamp(range.from)!;
      const to = parseTimestamp(range.to)!;
      if (from >= to) throw new CliError('--from must be before --to.', { exitCode: EXIT.usage });
      const { client } = await connect();
      const projects =
        projectName === undefined ? await listProjects(client) : [await findProject(client, projectName)];
      let replayed = 0;
      for (const { id } of projects) {
        const letters = await findUnreplayedIds(client, id, ({ failed_at: at }) => {
          const failedAt = Date.parse(at);
          return failedAt >= from && failedAt < to;
        });
        replayed += await replayDeadLetters(client, letters);
      }
      const { signal, dispose } = onInterrupt();
      try {
        // Imported lazily because the Kafka client loads slowly.
        const { replayRequests } = await import('../replay/replay-received.js');
        const requests = await replayRequests({
          projectIds: new Set(projects.map(({ id }) => id)),
          from,
          to,
          signal,
        });
        if (json) return printJson({ dead_letters: replayed, requests: requests?.replayed ?? null });
        if (requests === null) {
          note('Only dead letters were replayed: replaying requests requires Kafka, and KAFKA_BROKERS is not set.');
          note('To identify stored visits again without Kafka: agent-traffic visits reidentify --help');
        }
        const what = [plural(replayed, 'dead letter'), ...(requests ? [plural(requests.replayed, 'request')] : [])];
        print(
          `Replayed ${what.join(' and ')}.${signal.aborted ? ' The replay was interrupted before it was complete.' : ''}`,
        );
      } finally {
        dispose();
      }
    });
}
