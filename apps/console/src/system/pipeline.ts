import type { Pipeline, PipelinePart, PipelineState, SystemProcess } from '#libs/contracts';

export interface PipelineInputs {
  /** Null if the database is unavailable. */
  processes: readonly Pick<SystemProcess, 'service' | 'state' | 'checks'>[] | null;
  queue: { fault: string | null } | null;
  waiting: number;
}

type Part = Pipeline['parts'][number];

/** Service name of a process that runs all services. */
const STANDALONE_SERVICE = 'agent-traffic';
const SERVICES = ['gateway', 'enrichment', 'ingest'] as const satisfies PipelinePart[];
/** Display names of checks. Other checks don't affect whether visits are processed. */
const CHECK_NAMES: Record<string, string> = { database: 'PostgreSQL', bus: 'the queue', redis: 'Redis' };

/**
 * Returns the state of each part that visits pass through. Omits host names and exact errors, because every user can
 * read the result.
 */
export function describePipeline({ processes, queue, waiting }: PipelineInputs): Pipeline {
  const parts: Part[] = [];
  const services = processes === null ? [] : SERVICES.map((service) => createServicePart(service, processes));
  parts.push(...services.slice(0, 1));
  if (queue !== null) parts.push(createQueuePart(queue.fault, waiting));
  parts.push(...services.slice(1));
  parts.push(
    processes === null
      ? { part: 'database', state: 'down', detail: 'PostgreSQL is not responding.' }
      : { part: 'database', state: 'running', detail: null },
  );
  return { state: findWorstState(parts), parts };
}

function createServicePart(service: PipelinePart, processes: NonNullable<PipelineInputs['processes']>): Part {
  const liveProcesses = processes.filter(
    (one) => (one.service === service || one.service === STANDALONE_SERVICE) && one.state !== 'silent',
  );
  if (liveProcesses.length === 0) return { part: service, state: 'down', detail: 'No process has reported recently.' };
  const unavailable = liveProcesses.filter(({ state }) => state === 'unavailable');
  const failedChecks = new Set(liveProcesses.flatMap(({ checks }) => listFailedChecks(checks)));
  if (unavailable.length === liveProcesses.length) {
    return { part: service, state: 'down', detail: `Unavailable${formatFailedChecks(failedChecks)}.` };
  }
  if (unavailable.length > 0) {
    const detail = `${unavailable.length} of ${liveProcesses.length} processes are unavailable${formatFailedChecks(failedChecks)}.`;
    return { part: service, state: 'degraded', detail };
  }
  if (failedChecks.size > 0)
    return { part: service, state: 'degraded', detail: `Running${formatFailedChecks(failedChecks)}.` };
  return { part: service, state: 'running', detail: null };
}

function createQueuePart(fault: string | null, waiting: number): Part {
  const waitingNote = waiting === 0 ? '' : ` ${waiting.toLocaleString('en')} reports are waiting to be processed.`;
  if (fault !== null) return { part: 'queue', state: 'down', detail: `Not responding.${waitingNote}` };
  if (waiting === 0) return { part: 'queue', state: 'running', detail: null };
  return { part: 'queue', state: 'degraded', detail: `Catching up after an outage.${waitingNote}` };
}

const listFailedChecks = (checks: Record<string, string | null>): string[] =>
  Object.entries(checks).flatMap(([name, fault]) => (fault === null ? [] : (CHECK_NAMES[name] ?? [])));

const formatFailedChecks = (names: ReadonlySet<string>): string =>
  names.size === 0 ? '' : ` without ${[...names].join(' and ')}`;

const STATES_BY_SEVERITY: readonly PipelineState[] = ['running', 'degraded', 'down'];

const findWorstState = (parts: readonly Part[]): PipelineState =>
  STATES_BY_SEVERITY[Math.max(...parts.map(({ state }) => STATES_BY_SEVERITY.indexOf(state)))]!;
