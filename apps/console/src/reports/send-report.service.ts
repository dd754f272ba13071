import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import type { Report, ReportPeriod, ReportSchedule, SentReport } from '#libs/contracts';
import { CLOCK, LOGGER, ProblemError, tooManyRequests, type Clock, type Logger } from '#libs/platform';
import { v7 } from 'uuid';
import { ConfirmationLimits } from '../alerts/channels/confirmation-limits.js';
import { MailSender, type MailOptions } from '../alerts/channels/mail.sender.js';
import { mailText } from '../alerts/channels/mail-text.js';
import { PUBLIC_URL } from '../public-url.js';
import { ReportBuilder } from './report-builder.service.js';
import { buildReportMail, renderChart, type ChartImage } from './report-mail.js';
import {
  ReportRecipientsRepository,
  type AddedRecipient,
  type ConfirmedRecipient,
} from './report-recipients.repository.js';

const SEND_BUCKET: BucketKind = { name: 'reports-now', failsOpen: false };
const SEND_LIMIT: RateLimit = { burst: 10, perSecond: 1 / 600 };

interface ReportedProject {
  id: string;
  name: string;
}

interface Mailing {
  report: Report;
  chart: ChartImage[];
  frequency: ReportSchedule['frequency'];
}

/** Sends reports on request, and asks new recipients to confirm their address. */
@Injectable()
export class SendReportService {
  constructor(
    private readonly recipients: ReportRecipientsRepository,
    private readonly reports: ReportBuilder,
    private readonly mail: MailSender,
    private readonly limiter: RateLimiter,
    private readonly confirmations: ConfirmationLimits,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends the report to all confirmed recipients. Returns before the emails are sent, because a slow mail server takes
   * seconds for each one. The outcome is recorded for each recipient.
   *
   * @throws {ProblemError} 409 without a mail server, 429 if a rate limit is reached.
   */
  async sendToEveryone(project: ReportedProject, period?: ReportPeriod): Promise<SentReport> {
    const mailing = await this.prepare(project, period);
    const recipients = await this.recipients.startSending(project.id, this.now());
    void this.sendAll(mailing, recipients);
    return { recipients: recipients.length };
  }

  /**
   * Sends the report to a user, who doesn't have to be a recipient.
   *
   * @throws {ProblemError} 409 without a mail server or if it doesn't accept the email, 429 if a rate limit is reached.
   */
  async sendToUser(project: ReportedProject, { email }: { email: string }, period?: ReportPeriod): Promise<SentReport> {
    const { report, chart, frequency } = await this.prepare(project, period);
    const unsubscribeUrl = `${this.publicUrl}/account#reports`;
    const mail = buildReportMail(report, { unsubscribeUrl, isMember: true, frequency }, chart);
    const error = await this.deliver(email, { ...mail, headers: {} }, { isUserWaiting: true });
    if (error !== null) throw new ProblemError('conflict', error);
    return { recipients: 1 };
  }

  private async prepare(project: ReportedProject, period: ReportPeriod | undefined): Promise<Mailing> {
    await this.requireMail();
    const { allowed, retryAfterSeconds: seconds } = await this.limiter.take(SEND_BUCKET, project.id, 1, SEND_LIMIT);
    if (!allowed) throw tooManyRequests(`Too many reports sent. Try again in ${seconds} s.`, seconds);
    const schedule = (await this.recipients.listZonedSchedules([project.id])).get(project.id)!;
    const report = await this.reports.build(project.id, schedule, period);
    return { report, chart: await renderChart(report), frequency: schedule.frequency };
  }

  private async sendAll(
    { report, chart, frequency }: Mailing,
    recipients: readonly ConfirmedRecipient[],
  ): Promise<void> {
    try {
      // One at a time, so a long list of recipients doesn't delay alerts and sign-in emails.
      for (const { id, email, unsubscription, user_id: user } of recipients) {
        const unsubscribeUrl = `${this.publicUrl}/api/unsubscriptions/${unsubscription}`;
        const mail = buildReportMail(report, { unsubscribeUrl, isMember: user !== null, frequency }, chart);
        await this.recipients.recordDelivery(id, await this.deliver(email, mail), this.now());
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'failed to record the delivery of reports');
    }
  }

  /**
   * Counts a confirmation email toward the rate limits.
   *
   * @throws {ProblemError} 409 without a mail server, 429 if a rate limit is reached.
   */
  async prepareConfirmation(projectId: string, address: string): Promise<void> {
    await this.requireMail();
    const seconds = await this.confirmations.count(projectId, address);
    if (seconds > 0) throw tooManyRequests(`Too many confirmation emails. Try again in ${seconds} s.`, seconds);
  }

  /** Emails a confirmation link. Logs failures, because the recipient can be removed and added again. */
  async confirm(project: ReportedProject, address: string, { unsubscription }: AddedRecipient): Promise<void> {
    const text = [
      `Someone entered your email address to receive reports about "${mailText(project.name, 80)}" from Agent Traffic at ${this.publicUrl}.`,
      '',
      'To receive these reports, confirm your address:',
      `${this.publicUrl}/report-mail?of=${unsubscription}`,
      '',
      "If you don't want them, ignore this email. To stop emails like this one, open the link and unsubscribe.",
      '',
    ].join('\n');
    const subject = `Confirm reports from ${new URL(this.publicUrl).host}`;
    await this.deliver(address, { subject, text }, { isUserWaiting: true });
  }

  private async requireMail(): Promise<void> {
    if (await this.mail.isAvailable()) return;
    throw new ProblemError('conflict', 'This instance has no mail server. An administrator can set one up.');
  }

  /** Sends an email. Returns an error message for users, or null. */
  private async deliver(
    address: string,
    mail: Omit<ReturnType<typeof buildReportMail>, 'html' | 'attachments' | 'headers'> & {
      html?: string;
      attachments?: ChartImage[];
      headers?: Readonly<Record<string, string>>;
    },
    options?: Pick<MailOptions, 'isUserWaiting'>,
  ): Promise<string | null> {
    try {
      const rejected = await this.mail.send({ to: [address], id: v7(), ...mail }, options);
      return rejected.length === 0 ? null : 'The mail server rejected the address.';
    } catch (error) {
      this.logger.warn({ err: error }, 'failed to send a report or its confirmation');
      return (error as Error).message;
    }
  }
}
