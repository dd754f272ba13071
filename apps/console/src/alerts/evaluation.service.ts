import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import { Counter, Histogram } from 'prom-client';
import { PUBLIC_URL } from '../public-url.js';
import { AlertsRepository } from './alerts.repository.js';
import { agentsIn } from './alerts.service.js';
import { messagesOf } from './announcements.js';
import { CountedVisits } from './counted-visits.service.js';
import { DeliveriesRepository } from './channels/deliveries.repository.js';
import { AlertEvaluationRepository } from './evaluation.repository.js';

const LOOK_INTERVAL_MS = 30_000;

const changes = new Counter({
  name: 'agent_traffic_console_alert_events_total',
  help: 'Alerts; outcome: fired or recovered',
  labelNames: ['outcome'],
});
const durations = new Histogram({
  name: 'agent_traffic_console_alert_evaluation_seconds',
  help: 'Time that an evaluation of all alerts took, each quarter of an hour',
  buckets: [0.05, 0.2, 1, 5, 20],
});

/** Evaluates alerts after each quarter of an hour. Of several processes, one at a time does. */
@Injectable()
export class AlertEvaluationService extends PeriodicService {
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

  protected round(): Promise<void> {
    return this.evaluateDue();
  }

  /** Evaluates all times that are due, and deletes old events. */
  async evaluateDue(): Promise<void> {
    while (!this.isStopped) {
      const due = await this.evaluation.nextDue(this.now());
      if (due === null || !(await this.visits.areComplete(due))) return;
      const start = performance.now();
      const isEvaluated = await this.evaluation.evaluateNext(
        this.now(),
        async (transaction, events, at) => {
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
        },
        due,
      );
      if (!isEvaluated) return;
      durations.observe((performance.now() - start) / 1_000);
      await this.evaluation.deleteOld(this.now());
    }
  }
}
