import { Inject, Injectable } from '@nestjs/common';
import {
  ALERT_KIND_NAMES,
  ALERT_KINDS,
  ALERT_PREVIEW_DAYS,
  alertKindInfo,
  type Alert,
  type AlertEvent,
  type AlertList,
  type AlertPreview,
} from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { eventText } from './alert-text.js';
import { ConditionsRepository } from './conditions.repository.js';
import { AlertEvaluationRepository, type AlertChangeEvent } from './evaluation.repository.js';
import { AlertsRepository, type AlertSettings, type TokenOf } from './alerts.repository.js';
import { eventsOf } from './preview.js';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MS = 86_400_000;

const KINDS: AlertList['kinds'] = ALERT_KIND_NAMES.map((kind) => {
  const { label, sentence, test, isScoped, minimumOf, defaults } = alertKindInfo(kind);
  return { kind, label, sentence, test, is_scoped: isScoped, minimum_of: minimumOf, defaults };
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
    const events = await this.alerts.events(projectId);
    const nameOf = await this.alerts.tokensOf(
      agentsIn(
        events,
        events.map(({ rule }) => rule),
      ),
    );
    return events.map(
      ({ id, alert_id: alertId, kind, fired_at: firedAt, recovered_at: recoveredAt, rule, ...event }) => {
        const told = toldOf({ ...event, kind }, rule, nameOf);
        const times = { fired_at: firedAt.toISOString(), recovered_at: recoveredAt?.toISOString() ?? null };
        return { id, alert_id: alertId, kind, ...told, ...times };
      },
    );
  }

  /** Returns the events that these settings would have caused in the last `ALERT_PREVIEW_DAYS`. */
  async preview(projectId: string, settings: AlertSettings): Promise<AlertPreview> {
    const { kind, cooldown_minutes: cooldown, recovery_minutes: recovery } = settings;
    const until =
      (await this.evaluation.evaluatedUntil())?.getTime() ?? Math.floor(this.now() / QUARTER_MS) * QUARTER_MS;
    const from = until - ALERT_PREVIEW_DAYS * DAY_MS;
    const [first, last] = [new Date(from), new Date(until)];
    const met = await this.reader.read(
      (snapshot) => this.conditions.preview(projectId, settings, { first, last, snapshot }),
      {
        timeoutDetail: 'Computing the preview takes too long. Try again in a moment.',
      },
    );
    const behavior = {
      cooldownMs: cooldown * MINUTE_MS,
      recoveryMs: recovery * MINUTE_MS,
      lasts: ALERT_KINDS[kind].lasts,
    };
    const events = eventsOf(met, behavior, until).map((event) => ({ ...event, kind }));
    const nameOf = await this.alerts.tokensOf(agentsIn(events, [settings]));
    return {
      from: new Date(from).toISOString(),
      to: new Date(until).toISOString(),
      events: events.toReversed().map(({ firedAt, recoveredAt, ...event }) => ({
        ...toldOf(event, settings, nameOf),
        fired_at: new Date(firedAt).toISOString(),
        recovered_at: recoveredAt === null ? null : new Date(recoveredAt).toISOString(),
      })),
    };
  }

  private async read(projectId: string, id: string | null = null): Promise<Alert[]> {
    const alerts = await this.alerts.list(projectId, this.now(), id);
    const nameOf = await this.alerts.tokensOf(agentsIn([], alerts));
    return alerts.map((alert) => ({ ...alert, agent_token: nameOf(alert.agent_id) }));
  }
}

/** Returns the IDs of agents that events or alerts refer to. May contain duplicates and nulls. */
export const agentsIn = (events: readonly Occurrence[], rules: readonly Scope[]): (string | null)[] => [
  ...events.flatMap(({ kind, subject }) => (ALERT_KINDS[kind].subject === 'agent' ? subject : [])),
  ...rules.map(({ agent_id: id }) => id),
];

export function toldOf(
  { kind, subject, value, usual }: Occurrence,
  rule: Scope & Pick<Alert, 'window_minutes'>,
  nameOf: TokenOf,
): Pick<AlertEvent, 'subject' | 'subject_name' | 'value' | 'usual' | 'text'> {
  const subjectName = ALERT_KINDS[kind].subject === 'agent' ? nameOf(subject) : subject || null;
  const scopeName = nameOf(rule.agent_id) ?? rule.agent_type ?? rule.operator;
  const text = eventText({ kind, subjectName, scopeName, value, usual, windowMinutes: rule.window_minutes });
  return { subject: subject || null, subject_name: subjectName, value, usual, text };
}
