import { hashUserAgentGroup } from '#libs/agents';
import { toDeadLetter, type Outcome, type StepResult } from '#libs/bus';
import {
  AUTOMATION_VERDICTS,
  CACHE_RESULTS,
  SIZE_TYPES,
  toKindBits,
  parseTimestamp,
  ROBOTS_VERDICTS,
  getTimeFromId,
  getVisitKinds,
  type EnrichedVisit,
} from '#libs/contracts';
import { wellFormedText, type Checkout, type VisitRow } from '#libs/visit-store';
import { readCacheResult } from '../cache-result.js';
import { extractCheckouts } from '../checkouts.js';
import { getDimensions } from '../dimensions.js';
import { toPage } from '../page.js';
import { getResponseSize } from '../response-size.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const NO_CHECKOUTS: readonly Checkout[] = [];

export interface RetentionDays {
  days: number;
  unknownDays: number;
}

/**
 * Converts an enriched visit to a row. Rejects visits from the future. Drops visits older than the retention period,
 * because their partitions no longer exist.
 */
export function toVisitRow(
  visit: EnrichedVisit,
  now: number,
  retention: RetentionDays,
): StepResult<VisitRow, Exclude<Outcome, { kind: 'ok' }>> {
  const receivedAt = getTimeFromId(visit.id);
  if (receivedAt > now + HOUR_MS)
    return toDeadLetter('from_the_future', `received at ${visit.received_at}`, 'ingest:visit-row');
  const days = visit.identification.agent_id === null ? retention.unknownDays : retention.days;
  if (receivedAt < now - days * DAY_MS) return { ok: false, outcome: { kind: 'drop', reason: 'past_retention' } };
  return { ok: true, value: toRow(visit) };
}

/** Converts a visit of any age to a row. */
export function toRow(document: EnrichedVisit): VisitRow {
  const { id, project_id, occurred_at, identification, visit, kept_as, robots, automation, referral } = document;
  const path = wellFormedText(visit.request_path);
  const page = toPage(path);
  const kinds = getVisitKinds(visit);
  const responseSize = getResponseSize(visit);
  return {
    id: id.toLowerCase(),
    projectId: project_id.toLowerCase(),
    occurredAt: parseTimestamp(occurred_at)!,
    agentId: identification.agent_id,
    agentType: wellFormedTextOrNull(identification.agent_type_name),
    operator: wellFormedTextOrNull(identification.operator_name),
    result: identification.result,
    path,
    page,
    status: visit.response_status_code ?? null,
    responseTime: toSinglePrecision(visit.response_duration_in_milliseconds),
    responseSize,
    sizeType: responseSize === null ? null : toPosition(SIZE_TYPES, visit.response_size_type ?? 'body'),
    cache: toPosition(CACHE_RESULTS, visit.response_cache ?? readCacheResult(visit.response_headers)),
    mcpTool: wellFormedTextOrNull(visit.mcp_request_tool_name),
    kinds: toKindBits(kinds),
    robots: toPosition(ROBOTS_VERDICTS, robots?.verdict),
    automation: toPosition(AUTOMATION_VERDICTS, automation?.verdict),
    userAgentGroup: automation?.user_agent_group === undefined ? null : hashUserAgentGroup(automation.user_agent_group),
    assistant: wellFormedTextOrNull(referral?.assistant),
    isCounted: identification.agent_id === null && kept_as === 'counted',
    document,
    dimensions: getDimensions(document, { page, kinds }),
    checkouts: kinds[0] === 'page' ? NO_CHECKOUTS : extractCheckouts(document),
  };
}

/** Returns the 1-based position of a verdict, or null if it's missing or was added by a later version. */
const toPosition = <T extends string>(verdicts: readonly T[], verdict: T | null | undefined): number | null =>
  verdict == null ? null : verdicts.indexOf(verdict) + 1 || null;

/** Rounds to single precision. Returns null if the number is missing or too large for it. */
function toSinglePrecision(value: number | null | undefined): number | null {
  const rounded = Math.fround(value ?? Number.NaN);
  return Number.isFinite(rounded) ? rounded : null;
}

const wellFormedTextOrNull = (text: string | null | undefined): string | null =>
  text == null ? null : wellFormedText(text);
