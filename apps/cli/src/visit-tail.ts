import type { EnrichedVisit, Project } from '#libs/contracts';
import type { InstanceClient } from './client.js';
import type { QueryOf } from './operation-types.js';
import { readEvents } from './sse-reader.js';
import { visitLine } from './visit-text.js';
import { note, print, printJson } from './output.js';

/** Number of visit IDs remembered, to skip duplicates if the list and the stream overlap. */
const REMEMBERED = 5_000;
/** Maximum number of visits to fetch after a reconnection without an event to resume from. */
const CAUGHT_UP = 100;

export interface TailOptions {
  filters: QueryOf<'get', '/api/projects/{id}/visits'>;
  last: number;
  json?: boolean;
}

/** Prints recent visits, then live ones until the signal aborts. Reconnects if the connection is lost. */
export async function tailVisits(
  client: InstanceClient,
  project: Project,
  options: TailOptions,
  signal: AbortSignal,
): Promise<void> {
  const path = { id: project.id };
  const seen = new Set<string>();
  const show = (visit: EnrichedVisit): void => {
    if (seen.has(visit.id)) return;
    seen.add(visit.id);
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!);
    if (options.json) printJson(visit, 0);
    else print(visitLine(visit));
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
      const accepted = { accept: 'text/event-stream', signal };
      return client.stream('/api/projects/{id}/visits/stream', accepted, {
        params: { path, query: options.filters, header: resume },
      });
    },
    // Fetch the list after the stream is open, so no visits are missed in between.
    onOpen: async ({ again, resumed }) => {
      if (again) note('connected again');
      isLost = false;
      if (!again) await showLatest(options.last);
      else if (!resumed) await showLatest(CAUGHT_UP, since);
    },
    onLost: (error) => {
      if (!isLost) note(`connection lost (${reasonOf(error)}), connecting again…`);
      isLost = true;
    },
  });
  for await (const { event, data } of events) {
    if (event === 'visit') show(JSON.parse(data) as EnrichedVisit);
    else if (event === 'skipped') note(`the instance left out visits: ${data}`);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message.split('\n')[0]! : String(error));
