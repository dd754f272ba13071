import type { EnrichedVisit, Project } from '#libs/contracts';
import type { InstanceClient } from './client.js';
import type { QueryParams } from './operation-types.js';
import { readEvents } from './sse-reader.js';
import { formatVisit, VISIT_HEADER } from './visit-text.js';
import { note, print, printJson } from './output.js';

/** Number of visit IDs to remember for skipping duplicates, because the list and the stream can overlap. */
const MAX_REMEMBERED_IDS = 5_000;
/** Maximum number of visits to fetch after a reconnection that can't resume the stream. */
const MAX_CAUGHT_UP_VISITS = 100;

export interface TailOptions {
  filters: QueryParams<'get', '/api/projects/{id}/visits'>;
  last: number;
  json?: boolean;
}

/** Prints the latest visits, then new ones until the signal aborts. Reconnects after a lost connection. */
export async function tailVisits(
  client: InstanceClient,
  project: Project,
  options: TailOptions,
  signal: AbortSignal,
): Promise<void> {
  // Kept out of standard output, so programs only read visits.
  if (!options.json) note(VISIT_HEADER);
  const path = { id: project.id };
  const seen = new Set<string>();
  const show = (visit: EnrichedVisit): void => {
    if (seen.has(visit.id)) return;
    seen.add(visit.id);
    if (seen.size > MAX_REMEMBERED_IDS) seen.delete(seen.values().next().value!);
    if (options.json) printJson(visit, 0);
    else print(formatVisit(visit));
  };
  const showLatest = async (limit: number, receivedFrom = ''): Promise<void> => {
    if (limit === 0) return;
    const { visits } = await client.get('/api/projects/{id}/visits', {
      params: { path, query: { ...options.filters, limit } },
    });
    for (const visit of visits.toReversed()) if (visit.received_at >= receivedFrom) show(visit);
  };

  let isLost = false;
  const since = new Date().toISOString();
  const events = readEvents({
    signal,
    open: (lastEventId, signal) => {
      const resume = lastEventId === undefined ? undefined : { 'last-event-id': lastEventId };
      const streamOptions = { accept: 'text/event-stream', signal };
      return client.stream('/api/projects/{id}/visits/stream', streamOptions, {
        params: { path, query: options.filters, header: resume },
      });
    },
    // Fetch the list after opening the stream, so no visits are missed in between.
    onOpen: async ({ again, resumed }) => {
      if (again) note('connection restored');
      isLost = false;
      if (!again) await showLatest(options.last);
      else if (!resumed) await showLatest(MAX_CAUGHT_UP_VISITS, since);
    },
    onLost: (error) => {
      if (!isLost) note(`connection lost (${getReason(error)}), reconnecting…`);
      isLost = true;
    },
  });
  for await (const { event, data } of events) {
    if (event === 'visit') show(JSON.parse(data) as EnrichedVisit);
    else if (event === 'skipped') note(`the instance skipped visits: ${data}`);
  }
}

const getReason = (error: unknown): string => (error instanceof Error ? error.message.split('\n')[0]! : String(error));
