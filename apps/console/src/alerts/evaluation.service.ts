import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import { Counter, Gauge, Histogram } from 'prom-client';
import { PUBLIC_URL } from '../public-url.js';
import { AlertsRepository } from './alerts.repository.js';
import { collectAgentIds } from './alerts.service.js';
import { buildMessages } from './announcements.js';
import { CountedVisits } from './counted-visits.service.js';
import { DeliveriesRepository } from './channels/deliveries.repository.js';
import { AlertEvaluationRepository, lastDue, QUARTER_MS, type Announce } from './evaluation.repository.js';

const POLL_INTERVAL_MS = 30_000;
/** If visits have been waiting this long, alerts are evaluated early without them. */
const MAX_WAIT_MS = 2 * 3_600_000;
/**
 * How long this process must have seen visits waiting before it evaluates early. After a restart, visits can seem to be
 * waiting, because it takes a few rounds to confirm that they are counted.
 */
const MIN_OBSERVED_WAIT_MS = 120_000;

const changes = new Counter({
  name: 'agent_traffic_console_alert_events_total',
  help: 'Number of alert events, by outcome (fired or recovered)',
  labelNames: ['outcome'],
});
const durations = new Histogram({
  name: 'agent_traffic_console_alert_evaluation_seconds',
  help: 'Duration of an evaluation of all alerts',
  buckets: [0.05, 0.2, 1, 5, 20],
});
const evaluatedUntil = new Gauge({
  name: 'agent_traffic_console_alerts_evaluated_until_timestamp_seconds',
  help: 'Time until which all alerts have been evaluated, or 0 if unknown',
});

/** Evaluates alerts after each quarter hour. Only one process evaluates at a time. */
@Injectable()
export class AlertEvaluationService extends PeriodicService {
  /** Last quarter hour that this process evaluated early, in milliseconds since the epoch. */
  private firedEarlyUntil = -Infinity;
  /** When this process first found waiting visits, in milliseconds since the epoch. Null if none are waiting. */
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
    super(logger, POLL_INTERVAL_MS, 'failed to evaluate alerts; retrying soon');
  }

  protected async runRound(): Promise<void> {
    const until = await this.evaluation.evaluatedUntil();
    if (until !== null) evaluatedUntil.set(until.getTime() / 1_000);
    await this.evaluateDue();
  }

  async evaluateDue(): Promise<void> {
    while (!this.isStopped) {
      const due = await this.evaluation.nextDue(this.now());
      if (due === null) return;
      if (!(await this.visits.areComplete(due))) return this.fireEarly(due);
      this.waitingSince = null;
      const start = performance.now();
      if (!(await this.evaluation.evaluateNext(this.now(), this.announce, due))) return;
      durations.observe((performance.now() - start) / 1_000);
      await this.evaluation.deleteOld(this.now());
      await this.alerts.purge(this.now());
    }
  }

  /**
   * If visits have been waiting too long, evaluates alerts without them. An alert only fires if its condition is
   * already met, regardless of the waiting visits.
   */
  private async fireEarly(due: number): Promise<void> {
    this.waitingSince ??= this.now();
    if (this.now() - due < MAX_WAIT_MS || this.now() - this.waitingSince < MIN_OBSERVED_WAIT_MS) return;
    for (let at = Math.max(due, this.firedEarlyUntil + QUARTER_MS); at <= lastDue(this.now()); at += QUARTER_MS) {
      if (this.isStopped || !(await this.evaluation.fireEarly(at, this.announce))) return;
      this.firedEarlyUntil = at;
    }
  }

  private readonly announce: Announce = async (transaction, events, at) => {
    const announcedEvents = events.filter((event) => event.is_told);
    const ids = [...new Set(announcedEvents.map(({ alert_id: id }) => id))];
    const alerts = ids.length === 0 ? [] : await this.alerts.findAnnounced(transaction, ids);
    const rules = announcedEvents.map(({ rule }) => rule);
    const tokenOf = await this.alerts.loadAgentTokens(collectAgentIds(announcedEvents, rules), transaction);
    const messages = buildMessages(announcedEvents, alerts, { at, publicUrl: this.publicUrl, tokenOf });
    await this.deliveries.enqueue(transaction, messages, new Date(this.now()));
    for (const { recovered_at: recoveredAt, fired_at: firedAt } of events) {
      changes.inc({
        outcome: recoveredAt === null || recoveredAt.getTime() === firedAt.getTime() ? 'fired' : 'recovered',
      });
    }
  };
}
