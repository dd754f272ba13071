import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { v7 } from 'uuid';
import { MailInterruptedError, MailNotStartedError, MailSender, type Mail } from '../alerts/channels/mail.sender.js';
import { retryDelayMs } from '../alerts/channels/retry-schedule.js';
import { PUBLIC_URL } from '../public-url.js';
import { buildReportMail, renderChart } from './report-mail.js';
import { getFirstDay, getNextReportTime, getReportedPeriod } from './report-period.js';
import { INTERRUPTED, ReportRecipientsRepository, type ClaimedRequest } from './report-recipients.repository.js';
import { SubscriptionsRepository, type ClaimedReport } from './subscriptions.repository.js';
import { ReportBuilder } from './report-builder.service.js';

const POLL_INTERVAL_MS = 60_000;
/** Time for which a requested report is tried again if its data can't be read. */
const RETRY_REQUEST_MS = 3_600_000;
const NOT_CREATED = 'The report couldn’t be created.';

const reports = new Counter({
  name: 'agent_traffic_console_reports_total',
  help: 'Number of attempts to send reports, by outcome',
  labelNames: ['outcome'],
});

/** Sends reports when they are due or someone asks for it. Several processes can run it concurrently. */
@Injectable()
export class ReportsService extends PeriodicService {
  private requests: Promise<void> = Promise.resolve();

  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly recipients: ReportRecipientsRepository,
    private readonly reports: ReportBuilder,
    private readonly mail: MailSender,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to send reports; retrying soon');
  }

  protected async runRound(): Promise<void> {
    if (!(await this.mail.isAvailable())) return;
    await this.sendDue();
    await this.sendRequested();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.requests;
  }

  /** Sends all requested reports. If a process stopped before it was done, this continues its work. */
  sendRequested(): Promise<void> {
    // One email at a time, so a long list of recipients doesn't delay alerts and sign-in emails.
    this.requests = this.requests
      .then(() => this.sendAllRequested())
      .catch((error: unknown) => this.logger.warn({ err: error }, 'failed to send requested reports'));
    return this.requests;
  }

  private async sendAllRequested(): Promise<void> {
    const postponed: string[] = [];
    while (!this.isStopped) {
      const claimed = await this.recipients.claimRequest(this.now(), postponed);
      if (claimed === undefined) return;
      if (!(await this.attemptRequest(claimed))) postponed.push(claimed.id);
    }
  }

  /** Returns false if the report should be tried again later. */
  private async attemptRequest(claimed: ClaimedRequest): Promise<boolean> {
    const mail = await this.buildMail(claimed, v7()).catch((error: Error) => ({ error }));
    const error = 'error' in mail ? mail.error : await this.send(mail);
    const isRetried = 'error' in mail && this.now() - claimed.requested_report.at < RETRY_REQUEST_MS;
    if (isRetried || error instanceof MailNotStartedError) {
      this.logger.warn({ err: error, project: claimed.project_id }, 'failed to start sending a report; retrying later');
      await this.recipients.releaseRequest(claimed);
      return false;
    }
    if (error !== null) this.logger.warn({ err: error, project: claimed.project_id }, 'failed to send a report');
    reports.inc({ outcome: error === null ? 'sent' : 'failed' });
    const message =
      'error' in mail ? NOT_CREATED : error instanceof MailInterruptedError ? INTERRUPTED : error?.message;
    await this.recipients.recordDelivery(claimed.id, message ?? null, this.now());
    return true;
  }

  async sendDue(): Promise<void> {
    await this.subscriptions.deleteUnconfirmed();
    await this.subscriptions.deleteInaccessible(this.now());
    while (!this.isStopped) {
      const claimed = await this.subscriptions.claim(this.now());
      if (claimed === undefined) return;
      await this.attempt(claimed);
    }
  }

  private async attempt(claimed: ClaimedReport): Promise<void> {
    const { attempts, project_id: project, schedule } = claimed;
    const now = this.now();
    const firstDay = getFirstDay(schedule.time_zone, getReportedPeriod(schedule, now).current.from);
    const next = { nextAttemptAt: new Date(getNextReportTime(schedule, now)), attempts: 0, reportedWeek: null };
    // The period may already have been reported, if the last report was late or the project's time zone has changed
    // since.
    if (claimed.reported_week !== null && firstDay <= claimed.reported_week) {
      return this.subscriptions.settle(claimed, next);
    }
    const mail = await this.buildMail(claimed, `report-${claimed.id}-${firstDay}`).catch((error: Error) => ({ error }));
    // Building the report can take longer than the claim lasts. Only send it if no other process has claimed it since.
    const extendedClaim = await this.subscriptions.extend(claimed, this.now());
    if (extendedClaim === null) return;
    const error = 'error' in mail ? mail.error : await this.send(mail);
    if (error instanceof MailInterruptedError) {
      return this.subscriptions.settle(extendedClaim, {
        ...next,
        nextAttemptAt: new Date(this.now()),
        attempts: attempts - 1,
      });
    }
    reports.inc({ outcome: error === null ? 'sent' : 'failed' });
    await this.recipients.recordDelivery(
      claimed.id,
      error === null ? null : 'error' in mail ? NOT_CREATED : error.message,
      this.now(),
    );
    if (error === null) return this.subscriptions.settle(extendedClaim, { ...next, reportedWeek: firstDay });
    const delay = retryDelayMs(attempts, null, Math.random());
    const nextStep = delay === null ? 'giving up' : 'retrying later';
    this.logger.warn({ err: error, project, attempts }, `failed to send a report; ${nextStep}`);
    if (delay === null) return this.subscriptions.settle(extendedClaim, next);
    return this.subscriptions.settle(extendedClaim, { ...next, nextAttemptAt: new Date(this.now() + delay), attempts });
  }

  private async buildMail(claimed: ClaimedReport | ClaimedRequest, id: string): Promise<Mail> {
    const { project_id: project, schedule, email, unsubscription } = claimed;
    const { period = null, at = this.now() } = 'requested_report' in claimed ? claimed.requested_report : {};
    const report = await this.reports.build(project, schedule, period, at);
    return {
      to: [email],
      id,
      ...buildReportMail(
        report,
        {
          unsubscribeUrl: `${this.publicUrl}/api/unsubscriptions/${unsubscription}`,
          isMember: claimed.user_id !== null,
          frequency: schedule.frequency,
        },
        await renderChart(report),
      ),
    };
  }

  /** Sends an email. Returns the error, or null if the email was sent. */
  private async send(mail: Mail): Promise<Error | null> {
    try {
      const rejected = await this.mail.send(mail, { shutdownSignal: this.shutdownSignal });
      return rejected.length === 0 ? null : new Error('The mail server rejected the address.');
    } catch (error) {
      return error as Error;
    }
  }
}
