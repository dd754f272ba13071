import { hashUserAgentGroup } from '#libs/agents';
import { toDeadLetter, type Outcome, type StepResult } from '#libs/bus';
import {
  AUTOMATION_VERDICTS,
  toKindBits,
  parseTimestamp,
  ROBOTS_VERDICTS,
  getHeader,
  getRequestedFormat,
  getResponseFormat,
  getTimeFromId,
  getVisitKinds,
  type EnrichedVisit,
} from '#libs/contracts';
import { getPaymentSigns } from '#libs/payments';
import { formatDecisions } from '#libs/policy';
import { toResponseFlags, wellFormedText, type Checkout, type VisitRow } from '#libs/visit-store';
import { readCacheResult } from '../cache-result.js';
import { extractCheckouts } from '../checkouts.js';
import { getDimensions } from '../dimensions.js';
import { toCountedPath, toPage } from '../page.js';
import { getResponseSize } from '../response-size.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Maximum response time to store: almost 36 minutes. */
const MAX_RESPONSE_US = 2 ** 31 - 1;

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
  const { id, project_id, occurred_at, identification, visit, kept_as, robots, automation, referral, decisions } =
    document;
  const path = wellFormedText(visit.request_path);
  const page = toPage(path);
  const kinds = getVisitKinds(visit);
  const responseBytes = getResponseSize(visit);
  const { isPayment, isRedirect } = getPaymentSigns(visit);
  const requestedFormat = getRequestedFormat(getHeader(visit.request_headers, 'accept'));
  const responseFormat = getResponseFormat(getHeader(visit.response_headers, 'content-type'));
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
    responseBytes,
    responseUs: toMicroseconds(visit.response_duration_in_milliseconds),
    responseFlags: toResponseFlags({
      isSent: responseBytes !== null && visit.response_size_type === 'sent',
      cache: visit.response_cache ?? readCacheResult(visit.response_headers),
      requested: requestedFormat,
      response: responseFormat,
      isPayment,
      isRedirect,
    }),
    mcpTool: wellFormedTextOrNull(visit.mcp_request_tool_name),
    kinds: toKindBits(kinds),
    robots: toPosition(ROBOTS_VERDICTS, robots?.verdict),
    automation: toPosition(AUTOMATION_VERDICTS, automation?.verdict),
    userAgentGroup: automation?.user_agent_group === undefined ? null : hashUserAgentGroup(automation.user_agent_group),
    assistant: wellFormedTextOrNull(referral?.assistant),
    decisions: decisions === undefined ? null : toDecisionsText(decisions),
    isCounted: identification.agent_id === null && kept_as === 'counted',
    document,
    dimensions: getDimensions(document, {
      path: toCountedPath(path),
      page,
      kinds,
      isPayment,
      requestedFormat,
      responseFormat,
    }),
    checkouts: kinds[0] === 'page' ? NO_CHECKOUTS : extractCheckouts(document),
  };
}

/** Returns the 1-based position of a verdict, or null if it's missing or was added by a later version. */
const toPosition = <T extends string>(verdicts: readonly T[], verdict: T | undefined): number | null =>
  verdict === undefined ? null : verdicts.indexOf(verdict) + 1 || null;

const toDecisionsText = (decisions: NonNullable<EnrichedVisit['decisions']>): string =>
  wellFormedText(formatDecisions(decisions.map(({ rule_id: ruleId, mode, outcome }) => ({ ruleId, mode, outcome }))));

/** Converts a response time. Longer times than {@link MAX_RESPONSE_US} are stored as that. */
const toMicroseconds = (milliseconds: number | null | undefined): number | null =>
  milliseconds == null ? null : Math.min(Math.round(milliseconds * 1_000), MAX_RESPONSE_US);

const wellFormedTextOrNull = (text: string | null | undefined): string | null =>
  text == null ? null : wellFormedText(text);
