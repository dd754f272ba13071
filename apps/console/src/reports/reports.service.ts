import { Inject, Injectable } from '@nestjs/common';
import { getOverview, queryWith } from '#libs/contracts';
import { CLOCK, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { MailInterruptedError, MailSender, type Mail } from '../alerts/channels/mail.sender.js';
import { retryDelayMs } from '../alerts/channels/retry-schedule.js';
import { PUBLIC_URL } from '../public-url.js';
import { OverviewService } from '../statistics/overview.service.js';
import type { ComparedSeries } from '../statistics/time-range.js';
import { ZonedTime } from '../statistics/zoned-time.js';
import { weeklyReport } from './report.js';
import { reportMail } from './report-mail.js';
import { firstDayOf, nextReportAt, reportedWeek } from './reported-week.js';
import { SubscriptionsRepository, type ClaimedReport } from './subscriptions.repository.js';

const LOOK_INTERVAL_MS = 60_000;

const reports = new Counter({
  name: 'agent_traffic_console_reports_total',
  help: 'Attempts to send weekly reports',
  labelNames: ['outcome'],
});

/** Sends weekly reports when they are due. Processes share the work. */
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
    super(logger, LOOK_INTERVAL_MS, 'weekly reports are not sent; it is tried again soon');
  }

  override async onApplicationBootstrap(): Promise<void> {
    if (this.mail.isAvailable) await super.onApplicationBootstrap();
  }

  protected round(): Promise<void> {
    return this.sendDue();
  }

  async sendDue(): Promise<void> {
    await this.subscriptions.endOthers(this.now());
    while (!this.isStopped) {
      const claimed = await this.subscriptions.claim(this.now());
      if (claimed === undefined) return;
      await this.attempt(claimed);
    }
  }

  private async attempt(claimed: ClaimedReport): Promise<void> {
    const { attempts, project_id: project, time_zone: zone } = claimed;
    const compared = reportedWeek(zone, this.now());
    const week = firstDayOf(zone, compared.current.from);
    const next = { nextAttemptAt: new Date(nextReportAt(zone, this.now())), attempts: 0, reportedWeek: null };
    // This week has been reported already: the last report was late, or the project's time zone has changed.
    if (claimed.reported_week !== null && week <= claimed.reported_week) {
      return this.subscriptions.settle(claimed, next);
    }
    const mail = await this.mailOf(claimed, compared, week).catch((error: unknown) => ({ error }));
    // Building the report can take long. Send it only if the claim still holds.
    const held = await this.subscriptions.extend(claimed, this.now());
    if (held === null) return;
    const error = await ('error' in mail ? mail.error : this.send(mail));
    if (error instanceof MailInterruptedError) {
      return this.subscriptions.settle(held, { ...next, nextAttemptAt: new Date(this.now()), attempts: attempts - 1 });
    }
    reports.inc({ outcome: error === null ? 'sent' : 'failed' });
    if (error === null) return this.subscriptions.settle(held, { ...next, reportedWeek: week });
    const delay = retryDelayMs(attempts, null, Math.random());
    const then = delay === null ? 'it is given up' : 'it is tried again';
    this.logger.warn({ err: error, project, attempts }, `a weekly report was not sent; ${then}`);
    if (delay === null) return this.subscriptions.settle(held, next);
    return this.subscriptions.settle(held, { ...next, nextAttemptAt: new Date(this.now() + delay), attempts });
  }

  private async mailOf(claimed: ClaimedReport, compared: ComparedSeries, week: string): Promise<Mail> {
    const { project_id: id, user_id: user, time_zone: zone, email, unsubscription } = claimed;
    const { visitors: _, compare_from: __, ...filters } = queryWith(getOverview, {});
    const overview = await this.overviews.overview(id, compared, { filters, visitors: 'agents' });
    const { from, to } = compared.current;
    const report = weeklyReport(overview, {
      project: { id, name: claimed.project_name },
      publicUrl: this.publicUrl,
      days: daysOf(from, to, zone),
    });
    return {
      to: [email],
      id: `report-${id}-${user}-${week}`,
      ...(await reportMail(report, `${this.publicUrl}/api/unsubscriptions/${unsubscription}`)),
    };
  }

  /** @returns the error, or null if the mail was sent. */
  private async send(mail: Mail): Promise<unknown> {
    try {
      const refused = await this.mail.send(mail, { ending: this.closing });
      return refused.length === 0 ? null : new Error(`The mail server refused ${mail.to.join(', ')}.`);
    } catch (error) {
      return error;
    }
  }
}

/** Returns the start of each day, followed by the end of the last day. */
function daysOf(from: number, to: number, timeZone: string): number[] {
  const zoned = ZonedTime.of(timeZone);
  const days = [from];
  while (days.at(-1)! < to) days.push(zoned.nextDay(days.at(-1)!));
  return days;
}
