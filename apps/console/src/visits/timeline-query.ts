import { agentId } from '#libs/catalogue';
import {
  AGENT_TYPES,
  firstIdAt,
  IDENTIFICATION_RESULTS,
  kindBits,
  parseTimestamp,
  VISIT_KINDS,
  type Fault,
  type VisitKind,
} from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import { readCursor, type Cursor } from './timeline-cursor.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DEFAULT_LIMIT = 50;
const MOST_VISITS = 1_000;

/** What of a project's visits is asked for. Lists mean "one of them"; null means all. */
export interface TimelineQuery {
  /** Milliseconds since the epoch. */
  from: number | null;
  /** Exclusive. */
  to: number | null;
  agentIds: string[] | null;
  types: string[] | null;
  operators: string[] | null;
  results: string[] | null;
  pathPrefixes: string[] | null;
  /** Ranges of status codes, the end exclusive. */
  statuses: { from: number; to: number }[] | null;
  mcpTools: string[] | null;
  /** Bit mask. */
  kinds: number | null;
  limit: number;
  cursor: Cursor | null;
}

type Parameters = Record<string, string | string[] | undefined>;

/** Smallest id that a visit since then can have: it never occurs after its receipt. */
export const earliestId = ({ from }: TimelineQuery): string | null => (from === null ? null : firstIdAt(from));

/** Reads the parameters of the timeline. @throws ProblemError 422 that names those that don't fit. */
export function readTimelineQuery(parameters: Parameters): TimelineQuery {
  const faults: Fault[] = [];
  const taken = new Set<string>();
  const values = (name: string): string[] | null => {
    taken.add(name);
    const given = [parameters[name] ?? []].flat().filter((value) => value !== '');
    return given.length === 0 ? null : given;
  };
  const each = <T>(name: string, detail: string, read: (value: string) => T | null): T[] | null => {
    const read_ = values(name)?.map(read);
    if (!read_?.includes(null)) return (read_ as T[] | undefined) ?? null;
    faults.push({ pointer: `/${name}`, detail });
    return null;
  };
  const one = <T>(name: string, detail: string, read: (value: string) => T | null): T | null =>
    each(name, detail, read)?.at(-1) ?? null;
  const member = (allowed: readonly string[]) => (value: string) => (allowed.includes(value) ? value : null);
  const text = (value: string) => value;

  const time = 'must be an ISO 8601 date or date-time';
  const kinds = each('kind', `must be one of: ${VISIT_KINDS.join(', ')}`, member(VISIT_KINDS));
  const query: TimelineQuery = {
    from: one('from', time, parseTimestamp),
    to: one('to', time, parseTimestamp),
    agentIds: values('agent')?.map((agent) => (UUID.test(agent) ? agent.toLowerCase() : agentId(agent))) ?? null,
    types: each('type', `must be one of: ${AGENT_TYPES.join(', ')}`, (value) =>
      // The old name of the type.
      member(AGENT_TYPES)(value === 'Headless Agent' ? 'Automated Agent' : value),
    ),
    operators: each('operator', '', text),
    results: each('result', `must be one of: ${IDENTIFICATION_RESULTS.join(', ')}`, member(IDENTIFICATION_RESULTS)),
    pathPrefixes: each('path', '', text),
    statuses: each('status', 'must be a status such as 404, or a class such as 4xx', readStatus),
    mcpTools: each('mcp_tool', '', text),
    kinds: kinds && kindBits(kinds as VisitKind[]),
    limit:
      one('limit', `must be a whole number from 1 to ${MOST_VISITS}`, (value) => {
        const limit = /^\d{1,4}$/.test(value) ? Number(value) : 0;
        return limit >= 1 && limit <= MOST_VISITS ? limit : null;
      }) ?? DEFAULT_LIMIT,
    cursor: one('cursor', 'must be a cursor of an earlier answer', readCursor),
  };
  for (const name of Object.keys(parameters)) {
    if (!taken.has(name))
      faults.push({ pointer: `/${name}`, detail: `is not a parameter; known are: ${[...taken].join(', ')}` });
  }
  if (faults.length > 0) {
    const detail = faults.map((fault) => `${fault.pointer.slice(1)} ${fault.detail}`).join('; ');
    throw new ProblemError('invalid-body', `The parameters do not fit: ${detail}.`, { errors: faults });
  }
  return query;
}

function readStatus(value: string): { from: number; to: number } | null {
  if (/^[1-9]xx$/i.test(value)) return { from: Number(value[0]) * 100, to: Number(value[0]) * 100 + 100 };
  return /^\d{1,9}$/.test(value) ? { from: Number(value), to: Number(value) + 1 } : null;
}
