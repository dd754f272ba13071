import { Inject, Injectable } from '@nestjs/common';
import type { AlertPreview } from '#libs/contracts';
import { LOGGER, PeriodicService, ProblemError, type Logger } from '#libs/platform';
import { AlertsRepository } from './alerts.repository.js';
import { AlertsService } from './alerts.service.js';
import { CountedVisits } from './counted-visits.service.js';
import { DemoEventsRepository } from './demo-events.repository.js';
import { AlertEvaluationRepository } from './evaluation.repository.js';

const POLL_INTERVAL_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Records the events that the demo project's alerts would have triggered if they had existed before its visits were
 * loaded.
 */
@Injectable()
export class DemoEventsService extends PeriodicService {
  constructor(
    private readonly demo: DemoEventsRepository,
    private readonly visits: CountedVisits,
    private readonly alerts: AlertsRepository,
    private readonly service: AlertsService,
    private readonly evaluation: AlertEvaluationRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, "failed to record the demo project's alert events; retrying soon");
  }

  protected async runRound(): Promise<void> {
    const due = await this.demo.findDue();
    if (due === null || !(await this.visits.areComplete(due.loadedAt.getTime()))) return;
    const alerts = await this.alerts.list(due.projectId, due.loadedAt.getTime());
    const history = new Map<string, AlertPreview['events']>();
    // One at a time, because each preview reads all of the project's counts.
    for (const alert of alerts) {
      const events = await this.previewEvents(due.projectId, alert);
      history.set(
        alert.id,
        events.filter(({ fired_at: firedAt }) => Date.parse(firedAt) < due.loadedAt.getTime()),
      );
    }
    await this.demo.record(due.projectId, async (transaction) => {
      for (const [alertId, events] of history) await this.evaluation.recordPast(transaction, alertId, events);
    });
  }

  private async previewEvents(projectId: string, alert: Parameters<AlertsService['preview']>[1]) {
    try {
      return (await this.service.preview(projectId, alert, STATEMENT_TIMEOUT_MS)).events;
    } catch (error) {
      // The condition was met too often for a preview.
      if (error instanceof ProblemError && error.type === 'invalid-body') return [];
      throw error;
    }
  }
}
