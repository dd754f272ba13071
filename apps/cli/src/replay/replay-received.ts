import { replayReceived, type ReplayProgress } from '#libs/bus';
import { RECEIVED_HEADERS } from '#libs/contracts';
import { createLogger } from '#libs/platform';
import { note } from '../output.js';
import { plural } from '../terminal-text.js';
import { readKafka } from './env.js';

const NOTE_INTERVAL_MS = 2_000;

interface ReplayedRequests {
  projectIds: ReadonlySet<string>;
  /** Start of the time range, in milliseconds since the Unix epoch. */
  from: number;
  /** End of the time range (exclusive), in milliseconds since the Unix epoch. */
  to: number;
  signal: AbortSignal;
}

/** Publishes received requests again and reports progress. Returns null if no Kafka brokers are configured. */
export async function replayRequests({
  projectIds,
  from,
  to,
  signal,
}: ReplayedRequests): Promise<ReplayProgress | null> {
  const kafka = readKafka();
  if (kafka === null) return null;
  let lastNoteAt = Date.now();
  return replayReceived(kafka, createLogger({ service: 'agent-traffic', level: 'silent', pretty: false }), {
    from,
    to,
    signal,
    isWanted: ({ headers }) => projectIds.has(headers[RECEIVED_HEADERS.projectId]?.toLowerCase() ?? ''),
    onProgress: ({ read, total, replayed }) => {
      if (Date.now() < lastNoteAt + NOTE_INTERVAL_MS) return;
      lastNoteAt = Date.now();
      note(`${Math.floor((read / total) * 100)}%, ${plural(replayed, 'request')} replayed`);
    },
  });
}
