import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import { Counter, Gauge, Histogram } from 'prom-client';
import { PUBLIC_URL } from '../public-url.js';
import { AlertsRepository } from './alerts.repository.js';
import { agentsIn } from './alerts.service.js';
import { messagesOf } from './announcements.js';
import { CountedVisits } from './counted-visits.service.js';
import { DeliveriesRepository } from './channels/deliveries.repository.js';
import { AlertEvaluationRepository, lastDue, QUARTER_MS, type Announce } from './evaluation.repository.js';

const LOOK_INTERVAL_MS = 30_000;
/** Once visits have waited this long, alerts are evaluated early without them. */
const MAX_WAIT_MS = 2 * 3_600_000;
/**
 * Minimum time for which this process must have seen visits waiting. After console downtime, it takes a few rounds to
 * see that old visits are counted.
 */
const SURELY_WAITING_MS = 120_000;

const changes = new Counter({
  name: 'agent_traffic_console_alert_events_total',
  help: 'Alerts that fired or recovered',
  labelNames: ['outcome'],
});
const durations = new Histogram({
  name: 'agent_traffic_console_alert_evaluation_seconds',
  help: 'Time to evaluate all alerts',
  buckets: [0.05, 0.2, 1, 5, 20],
});
const evaluatedUntil = new Gauge({
  name: 'agent_traffic_console_alerts_evaluated_until_timestamp_seconds',
  help: 'Time up to which all alerts are evaluated; 0 if unknown',
});

/** Evaluates alerts after each quarter hour. Only one process does so at a time. */
@Injectable()
export class AlertEvaluationService extends PeriodicService {
  /** Time up to which this process has evaluated early, in milliseconds since the epoch. */
  private aheadUntil = -Infinity;
  /** When this process first saw visits waiting, in milliseconds since the epoch; null if none are waiting. */
  private waitingSince: number | null = null;

  constructor(
    private readonly evaluation: AlertEvaluationRepository,
    private readonly visits: CountedVisits,
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, LOOK_INTERVAL_MS, 'alerts are not evaluated; it is tried again soon');
  }

  protected async round(): Promise<void> {
    const until = await this.evaluation.evaluatedUntil();
    if (until !== null) evaluatedUntil.set(until.getTime() / 1_000);
    await this.evaluateDue();
  }

  async evaluateDue(): Promise<void> {
    while (!this.isStopped) {
      const due = await this.evaluation.nextDue(this.now());
      if (due === null) return;
      if (!(await this.visits.areComplete(due))) return this.beginAhead(due);
      this.waitingSince = null;
      const start = performance.now();
      if (!(await this.evaluation.evaluateNext(this.now(), this.announce, due))) return;
      durations.observe((performance.now() - start) / 1_000);
      await this.evaluation.deleteOld(this.now());
    }
  }

  /** If visits have waited too long, fires the alerts that the counted visits already justify. */
  private async beginAhead(due: number): Promise<void> {
    this.waitingSince ??= this.now();
    if (this.now() - due < MAX_WAIT_MS || this.now() - this.waitingSince < SURELY_WAITING_MS) return;
    for (let at = Math.max(due, this.aheadUntil + QUARTER_MS); at <= lastDue(this.now()); at += QUARTER_MS) {
      if (this.isStopped || !(await this.evaluation.beginAhead(at, this.announce))) return;
      this.aheadUntil = at;
    }
  }

  private readonly announce: Announce = async (transaction, events, at) => {
    const told = events.filter((event) => event.is_told);
    const ids = [...new Set(told.map(({ alert_id: id }) => id))];
    const alerts = ids.length === 0 ? [] : await this.alerts.announced(transaction, ids);
    const rules = told.map(({ rule }) => rule);
    const tokenOf = await this.alerts.tokensOf(agentsIn(told, rules), transaction);
    const messages = messagesOf(told, alerts, { at, publicUrl: this.publicUrl, tokenOf });
    await this.deliveries.enqueue(transaction, messages, new Date(this.now()));
    for (const { recovered_at: end, fired_at: begin } of events) {
      changes.inc({ outcome: end === null || end.getTime() === begin.getTime() ? 'fired' : 'recovered' });
    }
  };
}
