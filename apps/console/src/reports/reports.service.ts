import { Inject, Injectable } from '@nestjs/common';
import { getOverview, completeQuery } from '#libs/contracts';
import { CLOCK, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { MailInterruptedError, MailSender, type Mail } from '../alerts/channels/mail.sender.js';
import { retryDelayMs } from '../alerts/channels/retry-schedule.js';
import { PUBLIC_URL } from '../public-url.js';
import { OverviewService } from '../statistics/overview.service.js';
import type { ComparedSeries } from '../statistics/time-range.js';
import { ZonedTime } from '../statistics/zoned-time.js';
import { buildWeeklyReport } from './report.js';
import { buildReportMail } from './report-mail.js';
import { getFirstDay, getNextReportTime, getReportedWeek } from './reported-week.js';
import { SubscriptionsRepository, type ClaimedReport } from './subscriptions.repository.js';

const POLL_INTERVAL_MS = 60_000;

const reports = new Counter({
  name: 'agent_traffic_console_reports_total',
  help: 'Number of attempts to send weekly reports, by outcome',
  labelNames: ['outcome'],
});

/** Sends weekly reports when they are due. Several processes can run it concurrently. */
@Injectable()
export class ReportsService extends PeriodicService {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly overviews: OverviewService,
    private readonly mail: MailSender,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to send weekly reports; retrying soon');
  }

  override async onApplicationBootstrap(): Promise<void> {
    if (this.mail.isAvailable) await super.onApplicationBootstrap();
  }

  protected runRound(): Promise<void> {
    return this.sendDue();
  }

  async sendDue(): Promise<void> {
    await this.subscriptions.deleteInaccessible(this.now());
    while (!this.isStopped) {
      const claimed = await this.subscriptions.claim(this.now());
      if (claimed === undefined) return;
      await this.attempt(claimed);
    }
  }

  private async attempt(claimed: ClaimedReport): Promise<void> {
    const { attempts, project_id: project, time_zone: zone } = claimed;
    const compared = getReportedWeek(zone, this.now());
    const week = getFirstDay(zone, compared.current.from);
    const next = { nextAttemptAt: new Date(getNextReportTime(zone, this.now())), attempts: 0, reportedWeek: null };
    // The week may already have been reported, if the last report was late or the project's time zone has changed
    // since.
    if (claimed.reported_week !== null && week <= claimed.reported_week) {
      return this.subscriptions.settle(claimed, next);
    }
    const mail = await this.buildMail(claimed, compared, week).catch((error: unknown) => ({ error }));
    // Building the report can take longer than the claim lasts. Only send it if no other process has claimed it since.
    const extendedClaim = await this.subscriptions.extend(claimed, this.now());
    if (extendedClaim === null) return;
    const error = await ('error' in mail ? mail.error : this.send(mail));
    if (error instanceof MailInterruptedError) {
      return this.subscriptions.settle(extendedClaim, {
        ...next,
        nextAttemptAt: new Date(this.now()),
        attempts: attempts - 1,
      });
    }
    reports.inc({ outcome: error === null ? 'sent' : 'failed' });
    if (error === null) return this.subscriptions.settle(extendedClaim, { ...next, reportedWeek: week });
    const delay = retryDelayMs(attempts, null, Math.random());
    const nextStep = delay === null ? 'giving up' : 'retrying later';
    this.logger.warn({ err: error, project, attempts }, `failed to send a weekly report; ${nextStep}`);
    if (delay === null) return this.subscriptions.settle(extendedClaim, next);
    return this.subscriptions.settle(extendedClaim, { ...next, nextAttemptAt: new Date(this.now() + delay), attempts });
  }

  private async buildMail(claimed: ClaimedReport, compared: ComparedSeries, week: string): Promise<Mail> {
    const { project_id: id, user_id: user, time_zone: zone, email, unsubscription } = claimed;
    const { visitors: _, compare_from: __, ...filters } = completeQuery(getOverview, {});
    const overview = await this.overviews.overview(id, compared, { filters, visitors: 'agents' });
    const { from, to } = compared.current;
    const report = buildWeeklyReport(overview, {
      project: { id, name: claimed.project_name },
      publicUrl: this.publicUrl,
      days: listDayStarts(from, to, zone),
    });
    return {
      to: [email],
      id: `report-${id}-${user}-${week}`,
      ...(await buildReportMail(report, `${this.publicUrl}/api/unsubscriptions/${unsubscription}`)),
    };
  }

  /** Sends an email. Returns the error, or null if the email was sent. */
  private async send(mail: Mail): Promise<unknown> {
    try {
      const rejected = await this.mail.send(mail, { shutdownSignal: this.shutdownSignal });
      return rejected.length === 0 ? null : new Error(`The mail server rejected ${mail.to.join(', ')}.`);
    } catch (error) {
      return error;
    }
  }
}

function listDayStarts(from: number, to: number, timeZone: string): number[] {
  const zoned = ZonedTime.forZone(timeZone);
  const days = [from];
  while (days.at(-1)! < to) days.push(zoned.nextDay(days.at(-1)!));
  return days;
}
