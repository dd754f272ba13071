import { Inject, Injectable } from '@nestjs/common';
import {
  ALERT_KIND_NAMES,
  ALERT_KINDS,
  ALERT_PREVIEW_DAYS,
  alertKindInfo,
  getSensitivities,
  type Alert,
  type AlertEvent,
  type AlertList,
  type AlertPreview,
} from '#libs/contracts';
import { CHART_BUCKET_HOURS, type MeasuredValue } from '#libs/visit-store';
import { CLOCK, invalidBody, type Clock, type ProblemError } from '#libs/platform';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { eventText } from './alert-text.js';
import { ConditionsRepository } from './conditions.repository.js';
import { AlertEvaluationRepository, type AlertChangeEvent } from './evaluation.repository.js';
import { AlertsRepository, type AlertSettings, type AgentTokenLookup } from './alerts.repository.js';
import { simulateEvents } from './event-simulation.js';
import { getEvidencePath } from './notifications/evidence-path.js';

/** Limits for a preview: times that the condition was met, and events. */
const MAX_PREVIEW_CONDITIONS = 100_000;
const MAX_PREVIEW_EVENTS = 10_000;
/** Timeout for a preview's statement. */
const PREVIEW_TIMEOUT_MS = 5_000;
const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MS = 86_400_000;

const KINDS: AlertList['kinds'] = ALERT_KIND_NAMES.map((kind) => {
  const { label, scopedLabel, sentence, test, minimumOf, defaults } = alertKindInfo(kind);
  const info = { kind, label, scoped_label: scopedLabel, sentence, test, minimum_of: minimumOf, defaults };
  return { ...info, sensitivities: getSensitivities(kind) };
});

type Scope = Pick<Alert, 'agent_id' | 'agent_type' | 'operator'>;
type Occurrence = Pick<AlertChangeEvent, 'kind' | 'subject' | 'value' | 'usual'>;

@Injectable()
export class AlertsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly evaluation: AlertEvaluationRepository,
    private readonly conditions: ConditionsRepository,
    private readonly reader: SnapshotReader,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  async list(projectId: string): Promise<AlertList> {
    const [alerts, until] = await Promise.all([this.read(projectId), this.evaluation.evaluatedUntil()]);
    return { alerts, kinds: KINDS, evaluated_until: until?.toISOString() ?? null };
  }

  async find(projectId: string, id: string): Promise<Alert | undefined> {
    return (await this.read(projectId, id))[0];
  }

  async events(projectId: string): Promise<AlertEvent[]> {
    const events = await this.alerts.listEvents(projectId);
    const getAgentToken = await this.alerts.loadAgentTokens(
      collectAgentIds(
        events,
        events.map(({ rule }) => rule),
      ),
    );
    return events.map((event) => ({
      id: event.id,
      alert_id: event.alert_id,
      kind: event.kind,
      ...describeEvent(event, event.rule, getAgentToken),
      path: getEvidencePath(event, getAgentToken),
      fired_at: event.fired_at.toISOString(),
      recovered_at: event.recovered_at?.toISOString() ?? null,
    }));
  }

  /**
   * Returns the events that these settings would have triggered in the last `ALERT_PREVIEW_DAYS`, newest first.
   *
   * @throws {ProblemError} 422 if the condition was met too often, or 504 if there are too many visits.
   */
  async preview(projectId: string, settings: AlertSettings, timeoutMs = PREVIEW_TIMEOUT_MS): Promise<AlertPreview> {
    const { kind, cooldown_minutes: cooldown, recovery_minutes: recovery } = settings;
    const until =
      (await this.evaluation.evaluatedUntil())?.getTime() ?? Math.floor(this.now() / QUARTER_MS) * QUARTER_MS;
    const from = until - ALERT_PREVIEW_DAYS * DAY_MS;
    const [first, last] = [new Date(from), new Date(until)];
    const limit = MAX_PREVIEW_CONDITIONS;
    const preview = await this.reader.read(
      (snapshot) => this.conditions.preview(projectId, settings, { first, last, limit, snapshot }),
      {
        timeoutMs,
        timeoutDetail: 'There are too many visits for a preview. You can save the alert anyway.',
      },
    );
    if (preview === null) throw firesTooOften();
    const behavior = {
      cooldownMs: cooldown * MINUTE_MS,
      recoveryMs: recovery * MINUTE_MS,
      lasts: ALERT_KINDS[kind].lasts,
      isCount: ALERT_KINDS[kind].test === 'count',
    };
    const events = simulateEvents(preview.met, behavior, until).map((event) => ({ ...event, kind }));
    if (events.length > MAX_PREVIEW_EVENTS) throw firesTooOften();
    const getAgentToken = await this.alerts.loadAgentTokens(collectAgentIds(events, [settings]));
    return {
      from: new Date(from).toISOString(),
      to: new Date(until).toISOString(),
      chart: toChart(preview.values, { from, until, test: ALERT_KINDS[kind].test, threshold: settings.threshold }),
      events: events.toReversed().map(({ firedAt, recoveredAt, ...event }) => ({
        ...describeEvent(event, settings, getAgentToken),
        fired_at: new Date(firedAt).toISOString(),
        recovered_at: recoveredAt === null ? null : new Date(recoveredAt).toISOString(),
      })),
    };
  }

  private async read(projectId: string, id: string | null = null): Promise<Alert[]> {
    const alerts = await this.alerts.list(projectId, this.now(), id);
    const getAgentToken = await this.alerts.loadAgentTokens(collectAgentIds([], alerts));
    return alerts.map((alert) => ({ ...alert, agent_token: getAgentToken(alert.agent_id) }));
  }
}

/** Returns a bar for each period, or an empty list if the kind measures no value. */
function toChart(
  values: readonly MeasuredValue[],
  { from, until, test, threshold }: { from: number; until: number; test: string; threshold: number },
): AlertPreview['chart'] {
  if (test === 'seen' || test === 'silence') return [];
  const byTime = new Map(values.map((measured) => [measured.time.getTime(), measured]));
  const chart: AlertPreview['chart'] = [];
  for (let time = from; time < until; time += CHART_BUCKET_HOURS * 60 * MINUTE_MS) {
    const measured = byTime.get(time);
    chart.push({
      time: new Date(time).toISOString(),
      value: measured?.value ?? 0,
      // Periods without such visits have no values. Counts have the same threshold in all periods.
      boundary: measured?.boundary ?? (test === 'count' ? threshold : null),
    });
  }
  return chart;
}

const firesTooOften = (): ProblemError =>
  invalidBody('/threshold', 'is reached too often for a preview: choose a higher one, or limit the alert to one agent');

/** Returns the agent IDs in events and alert scopes. The result may contain duplicates and nulls. */
export const collectAgentIds = (events: readonly Occurrence[], rules: readonly Scope[]): (string | null)[] => [
  ...events.flatMap(({ kind, subject }) => (ALERT_KINDS[kind].subject === 'agent' ? subject : [])),
  ...rules.map(({ agent_id: id }) => id),
];

export function describeEvent(
  { kind, subject, value, usual }: Occurrence,
  rule: Scope & Pick<Alert, 'window_minutes'>,
  getAgentToken: AgentTokenLookup,
): Pick<AlertEvent, 'subject' | 'subject_name' | 'value' | 'usual' | 'text'> {
  const subjectName = ALERT_KINDS[kind].subject === 'agent' ? getAgentToken(subject) : subject || null;
  const scopeName = getAgentToken(rule.agent_id) ?? rule.agent_type ?? rule.operator;
  const text = eventText({ kind, subjectName, scopeName, value, usual, windowMinutes: rule.window_minutes });
  return { subject: subject || null, subject_name: subjectName, value, usual, text };
}
