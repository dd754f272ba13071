import { alertKindInfo, type AlertKind } from '#libs/contracts';
import type { AgentTokenLookup } from '../alerts.repository.js';
import type { AlertChangeEvent } from '../evaluation.repository.js';

interface EvidenceOf {
  kind: AlertKind;
  projectId: string;
  /** Token of the agent that the event is about, or that the alert is limited to. */
  agentToken: string | null;
  agentType: string | null;
  operator: string | null;
  firedAt: Date;
  windowMinutes: number;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** Pages with their own evidence. Other kinds link to the visits that fired the alert. */
const PAGES: Partial<Record<AlertKind, string>> = {
  verified_share: 'verification',
  disallowed: 'compliance',
  robots_missing: 'policy',
  no_visits: 'overview',
  tool_errors: 'tools',
  referral_spike: 'referrals',
};
/** Kinds whose evidence is a change, so the link also covers the day before. */
const CHANGE_KINDS: ReadonlySet<AlertKind> = new Set<AlertKind>([
  'spike',
  'drop',
  'verified_share',
  'no_visits',
  'referral_spike',
]);
const FILTERS: Partial<Record<AlertKind, Readonly<Record<string, string>>>> = {
  spoofing: { result: 'verification_failed' },
  agent_load: { not_result: 'verification_failed' },
  new_agent: { not_result: 'verification_failed' },
  blocked: { status: '403' },
  server_errors: { status: '5xx', not_result: 'unknown_agent' },
};

/** Returns the path of the dashboard page that shows why an event's alert fired. */
export const getEvidencePath = (event: AlertChangeEvent, getAgentToken: AgentTokenLookup): string =>
  toEvidencePath({
    kind: event.kind,
    projectId: event.project_id,
    agentToken: getAgentToken(alertKindInfo(event.kind).subject === 'agent' ? event.subject : event.rule.agent_id),
    agentType: event.rule.agent_type,
    operator: event.rule.operator,
    firedAt: event.fired_at,
    windowMinutes: event.rule.window_minutes,
  });

/** Returns the path of the dashboard page that shows why an alert fired, including range and filters. */
export function toEvidencePath(event: EvidenceOf): string {
  const { kind, firedAt, windowMinutes } = event;
  const page = PAGES[kind] ?? 'visits';
  const minutes = windowMinutes + (CHANGE_KINDS.has(kind) ? DAY_MINUTES : 0);
  const search = new URLSearchParams({
    from: new Date(firedAt.getTime() - minutes * MINUTE_MS).toISOString(),
    to: firedAt.toISOString(),
  });
  if (page === 'visits') {
    if (event.agentToken !== null) search.set('agent', event.agentToken);
    if (event.agentType !== null) search.set('type', event.agentType);
    if (event.operator !== null) search.set('operator', event.operator);
    for (const [name, value] of Object.entries(FILTERS[kind] ?? {})) search.set(name, value);
    if (kind === 'errors') for (const status of ['4xx', '5xx']) search.append('status', status);
  }
  const path = `/projects/${event.projectId}/${page}`;
  return page === 'policy' ? path : `${path}?${search}`;
}
