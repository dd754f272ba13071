import { userAgentGroupNumber } from '#libs/agents';
import { refused, type Outcome, type StepResult } from '#libs/bus';
import {
  AUTOMATION_VERDICTS,
  kindBits,
  parseTimestamp,
  ROBOTS_VERDICTS,
  timeOfId,
  visitKinds,
  type EnrichedVisit,
} from '#libs/contracts';
import { wellFormedText, type Checkout, type VisitRow } from '#libs/visit-store';
import { checkoutsOf } from '../checkouts.js';
import { dimensionsOf } from '../dimensions.js';
import { pageOf } from '../page.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const NO_CHECKOUTS: readonly Checkout[] = [];

export interface KeptDays {
  days: number;
  unknownDays: number;
}

/**
 * Converts an enriched visit to a row. Rejects visits from the future, and drops visits past the retention because
 * their partitions no longer exist.
 */
export function visitRow(
  visit: EnrichedVisit,
  now: number,
  kept: KeptDays,
): StepResult<VisitRow, Exclude<Outcome, { kind: 'ok' }>> {
  const receivedAt = timeOfId(visit.id);
  if (receivedAt > now + HOUR_MS)
    return refused('from_the_future', `received at ${visit.received_at}`, 'ingest:visit-row');
  const days = visit.identification.agent_id === null ? kept.unknownDays : kept.days;
  if (receivedAt < now - days * DAY_MS) return { ok: false, outcome: { kind: 'drop', reason: 'past_retention' } };
  return { ok: true, value: rowOf(visit) };
}

/** Returns the row of a visit of any age. */
export function rowOf(document: EnrichedVisit): VisitRow {
  const { id, project_id, occurred_at, identification, visit, kept_as, robots, automation, referral } = document;
  const path = wellFormedText(visit.request_path);
  const page = pageOf(path);
  const kinds = visitKinds(visit);
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
    kinds: kindBits(kinds),
    robots: positionOf(ROBOTS_VERDICTS, robots?.verdict),
    automation: positionOf(AUTOMATION_VERDICTS, automation?.verdict),
    userAgentGroup:
      automation?.user_agent_group === undefined ? null : userAgentGroupNumber(automation.user_agent_group),
    assistant: wellFormedTextOrNull(referral?.assistant),
    isCounted: identification.agent_id === null && kept_as === 'counted',
    document,
    dimensions: dimensionsOf(document, { page, kinds }),
    checkouts: kinds[0] === 'page' ? NO_CHECKOUTS : checkoutsOf(document),
  };
}

/** Returns the 1-based position of a verdict. Null if it's missing, or if only a later version knows it. */
const positionOf = <T extends string>(verdicts: readonly T[], verdict: T | undefined): number | null =>
  verdict === undefined ? null : verdicts.indexOf(verdict) + 1 || null;

const wellFormedTextOrNull = (text: string | null | undefined): string | null =>
  text == null ? null : wellFormedText(text);
