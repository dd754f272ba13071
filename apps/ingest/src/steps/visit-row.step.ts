import type { Outcome, ReceivedMessage } from '#libs/bus';
import {
  EnrichedVisitSchema,
  kindBits,
  parseTimestamp,
  timeOfId,
  validator,
  visitKinds,
  type EnrichedVisit,
} from '#libs/contracts';
import { storableJson, storableText } from './storable.step.js';

const enriched = validator(EnrichedVisitSchema);
const STEP = 'ingest:visit-row';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Characters of a path that are counted as one page; the query is left out. */
const PAGE_LENGTH = 500;

/** A visit as the table holds it. */
export interface VisitRow {
  id: string;
  projectId: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  agentId: string | null;
  agentType: string | null;
  operator: string | null;
  result: string;
  path: string;
  /** The path without its query, for the counts of pages. */
  page: string;
  status: number | null;
  mcpTool: string | null;
  kinds: number;
  /** The enriched visit as JSON text. */
  document: string;
}

/**
 * Turns a message of `visits.enriched.v1` into a row.
 *
 * @param retentionDays older visits have no partition any more and are left out.
 */
export function visitRow(
  message: ReceivedMessage,
  now: number,
  retentionDays: number,
): VisitRow | Exclude<Outcome, { kind: 'ok' }> {
  const text = withCurrentNames(message.value.toString('utf8'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return malformed(`the value is not JSON: ${(error as Error).message}`);
  }
  if (!enriched.is(value)) {
    const faults = enriched.faults(value).map(({ pointer, detail }) => `${pointer || '/'} ${detail}`);
    return malformed(`not an enriched visit: ${faults.join('; ')}`);
  }
  const receivedAt = timeOfId(value.id);
  if (receivedAt > now + HOUR) {
    return { kind: 'dead-letter', reason: 'from_the_future', detail: `received at ${value.received_at}`, step: STEP };
  }
  if (receivedAt < now - retentionDays * DAY) return { kind: 'drop', reason: 'past_retention' };
  return row(value as EnrichedVisit, text);
}

function row({ id, project_id, occurred_at, identification, visit }: EnrichedVisit, text: string): VisitRow {
  const path = storableText(visit.request_path);
  return {
    id,
    projectId: project_id,
    occurredAt: parseTimestamp(occurred_at)!,
    agentId: identification.agent_id,
    agentType: storable(identification.agent_type_name),
    operator: storable(identification.operator_name),
    result: identification.result,
    path,
    page: pageOf(path),
    status: visit.response_status_code ?? null,
    mcpTool: storable(visit.mcp_request_tool_name),
    kinds: kindBits(visitKinds(visit)),
    document: storableJson(text),
  };
}

/** Versions before 0.1 wrote `catalogue_version`; their messages may be on the topic still. */
const withCurrentNames = (text: string): string =>
  text.replace(/"catalogue_version":("[^"]*"\}\})$/, '"catalog_version":$1');

const storable = (text: string | null | undefined): string | null => (text == null ? null : storableText(text));

function pageOf(path: string): string {
  const query = path.indexOf('?');
  return (query === -1 ? path : path.slice(0, query)).slice(0, PAGE_LENGTH).toWellFormed();
}

const malformed = (detail: string): Outcome & { kind: 'dead-letter' } => ({
  kind: 'dead-letter',
  reason: 'malformed_message',
  detail,
  step: STEP,
});
