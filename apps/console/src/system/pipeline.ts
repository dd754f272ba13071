import type { Pipeline, PipelinePart, PipelineState, SystemProcess } from '#libs/contracts';

export interface PipelineSigns {
  /** Null if the database is unavailable. */
  processes: readonly Pick<SystemProcess, 'service' | 'state' | 'checks'>[] | null;
  queue: { fault: string | null } | null;
  waiting: number;
}

type Part = Pipeline['parts'][number];

/** Service name of a process that runs all services. */
const ALL = 'agent-traffic';
const SERVICES = ['gateway', 'enrichment', 'ingest'] as const satisfies PipelinePart[];
/** Display names of checks. Other checks don't affect whether visits get through. */
const NEEDS: Record<string, string> = { database: 'PostgreSQL', bus: 'the queue', redis: 'Redis' };

/**
 * Returns the state of each part that visits pass through. Names no hosts or exact errors, because every user can read
 * it.
 */
export function pipelineOf({ processes, queue, waiting }: PipelineSigns): Pipeline {
  const parts: Part[] = [];
  const services = processes === null ? [] : SERVICES.map((service) => servicePart(service, processes));
  parts.push(...services.slice(0, 1));
  if (queue !== null) parts.push(queuePart(queue.fault, waiting));
  parts.push(...services.slice(1));
  parts.push(
    processes === null
      ? { part: 'database', state: 'down', detail: 'PostgreSQL is not responding.' }
      : { part: 'database', state: 'running', detail: null },
  );
  return { state: worst(parts), parts };
}

function servicePart(service: PipelinePart, processes: NonNullable<PipelineSigns['processes']>): Part {
  const living = processes.filter((one) => (one.service === service || one.service === ALL) && one.state !== 'silent');
  if (living.length === 0) return { part: service, state: 'down', detail: 'No process has reported recently.' };
  const unable = living.filter(({ state }) => state === 'unavailable');
  const lacks = new Set(living.flatMap(({ checks }) => lacking(checks)));
  if (unable.length === living.length) {
    return { part: service, state: 'down', detail: `Unavailable${without(lacks)}.` };
  }
  if (unable.length > 0) {
    const detail = `${unable.length} of ${living.length} processes are unavailable${without(lacks)}.`;
    return { part: service, state: 'degraded', detail };
  }
  if (lacks.size > 0) return { part: service, state: 'degraded', detail: `Running${without(lacks)}.` };
  return { part: service, state: 'running', detail: null };
}

function queuePart(fault: string | null, waiting: number): Part {
  const kept = waiting === 0 ? '' : ` ${waiting.toLocaleString('en')} reports are kept until then.`;
  if (fault !== null) return { part: 'queue', state: 'down', detail: `Not responding.${kept}` };
  if (waiting === 0) return { part: 'queue', state: 'running', detail: null };
  return { part: 'queue', state: 'degraded', detail: `Catching up after an outage.${kept}` };
}

const lacking = (checks: Record<string, string | null>): string[] =>
  Object.entries(checks).flatMap(([name, fault]) => (fault === null ? [] : (NEEDS[name] ?? [])));

const without = (names: ReadonlySet<string>): string =>
  names.size === 0 ? '' : ` without ${[...names].join(' and ')}`;

const ORDER: readonly PipelineState[] = ['running', 'degraded', 'down'];

const worst = (parts: readonly Part[]): PipelineState =>
  ORDER[Math.max(...parts.map(({ state }) => ORDER.indexOf(state)))]!;
