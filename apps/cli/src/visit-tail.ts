import type { EnrichedVisit, Project } from '#libs/contracts';
import type { InstanceClient } from './client.js';
import { readEvents } from './sse-reader.js';
import { visitLine } from './visit-text.js';

/** Ids remembered, to show no visit twice where the list and the stream overlap. */
const REMEMBERED = 5_000;
/** Visits looked up after a connection was lost that had no event to resume from. */
const CAUGHT_UP = 100;

export interface TailOptions {
  agent?: string[];
  result?: string[];
  /** Latest visits to start with. */
  last: number;
  json?: boolean;
}

/** Prints the latest visits and then the live ones, until the signal. Connections that are lost are made again. */
export async function tailVisits(
  client: InstanceClient,
  project: Project,
  options: TailOptions,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/projects/${project.id}/visits`;
  const wanted = visitFilter(options);
  const seen = new Set<string>();
  const show = (visit: EnrichedVisit): void => {
    if (seen.has(visit.id)) return;
    seen.add(visit.id);
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!);
    console.log(options.json ? JSON.stringify(visit) : visitLine(visit));
  };
  const showLatest = async (limit: number, receivedFrom = ''): Promise<void> => {
    if (limit === 0) return;
    const query = { agent: options.agent, result: options.result, limit };
    const { visits } = await client.get<{ visits: EnrichedVisit[] }>(path, query);
    for (const visit of visits.toReversed()) if (visit.received_at >= receivedFrom) show(visit);
  };

  let isLost = false;
  const since = new Date().toISOString();
  const events = readEvents({
    signal,
    open: (lastEventId, signal) => {
      const resume = lastEventId === undefined ? undefined : { 'last-event-id': lastEventId };
      return client.stream(`${path}/stream`, { headers: { accept: 'text/event-stream', ...resume }, signal });
    },
    // The list is read once the stream is open, so that nothing falls between them.
    onOpen: async ({ again, resumed }) => {
      if (again) console.error('connected again');
      isLost = false;
      if (!again) await showLatest(options.last);
      else if (!resumed) await showLatest(CAUGHT_UP, since);
    },
    onLost: (error) => {
      if (!isLost) console.error(`connection lost (${reasonOf(error)}), connecting again…`);
      isLost = true;
    },
  });
  for await (const { event, data } of events) {
    if (event === 'visit') {
      const visit = JSON.parse(data) as EnrichedVisit;
      if (wanted(visit)) show(visit);
    } else if (event === 'skipped') console.error(`the instance left out visits: ${data}`);
  }
}

/** Whether a visit fits the filters, as the list's filters do: an agent by token (in any case) or id. */
export function visitFilter({ agent, result }: Pick<TailOptions, 'agent' | 'result'>) {
  const agents = agent && new Set(agent.map((name) => name.toLowerCase()));
  const results = result && new Set(result);
  return ({ identification }: EnrichedVisit): boolean => {
    const names = [identification.agent_token, identification.agent_id];
    if (agents && !names.some((name) => name !== null && agents.has(name.toLowerCase()))) return false;
    return !results || results.has(identification.result);
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message.split('\n')[0]! : String(error));
