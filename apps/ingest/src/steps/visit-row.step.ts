import { hashUserAgentGroup } from '#libs/agents';
import { toDeadLetter, type Outcome, type StepResult } from '#libs/bus';
import {
  AUTOMATION_VERDICTS,
  toKindBits,
  parseTimestamp,
  ROBOTS_VERDICTS,
  getTimeFromId,
  getVisitKinds,
  type EnrichedVisit,
} from '#libs/contracts';
import { wellFormedText, type Checkout, type VisitRow } from '#libs/visit-store';
import { extractCheckouts } from '../checkouts.js';
import { getDimensions } from '../dimensions.js';
import { toPage } from '../page.js';

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
const toPosition = <T extends string>(verdicts: readonly T[], verdict: T | undefined): number | null =>
  verdict === undefined ? null : verdicts.indexOf(verdict) + 1 || null;

const wellFormedTextOrNull = (text: string | null | undefined): string | null =>
  text == null ? null : wellFormedText(text);
