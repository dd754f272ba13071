import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import type { Report, SentReport } from '#libs/contracts';
import { CLOCK, LOGGER, ProblemError, tooManyRequests, type Clock, type Logger } from '#libs/platform';
import { v7 } from 'uuid';
import { ConfirmationLimits } from '../alerts/channels/confirmation-limits.js';
import { MailSender, type MailOptions } from '../alerts/channels/mail.sender.js';
import { mailText } from '../alerts/channels/mail-text.js';
import { PUBLIC_URL } from '../public-url.js';
import { ReportBuilder } from './report-builder.service.js';
import { buildReportMail, renderChart, type ChartImage } from './report-mail.js';
import type { RequestedPeriod, ZonedSchedule } from './report-period.js';
import { ReportRecipientsRepository, type AddedRecipient } from './report-recipients.repository.js';
import { ReportsService } from './reports.service.js';

const SEND_BUCKET: BucketKind = { name: 'reports-now', failsOpen: false };
const SEND_LIMIT: RateLimit = { burst: 10, perSecond: 1 / 600 };

interface ReportedProject {
  id: string;
  name: string;
}

/** Sends reports on request, and asks new recipients to confirm their address. */
@Injectable()
export class SendReportService {
  constructor(
    private readonly recipients: ReportRecipientsRepository,
    private readonly reports: ReportBuilder,
    private readonly sender: ReportsService,
    private readonly mail: MailSender,
    private readonly limiter: RateLimiter,
    private readonly confirmations: ConfirmationLimits,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends the report to all confirmed recipients. Returns before the emails are sent, because a slow mail server takes
   * seconds for each one. The outcome is recorded for each recipient. No one gets the report twice: if the process ends,
   * the next one continues with those whose email wasn't started.
   *
   * @throws {ProblemError} 409 without a mail server, 429 if a rate limit is reached.
   */
  async sendToEveryone(project: ReportedProject, period: RequestedPeriod): Promise<SentReport> {
    const at = this.now();
    await this.prepare(project, period, at);
    const recipients = await this.recipients.request(project.id, { period, at });
    void this.sender.sendRequested();
    return { recipients };
  }

  /**
   * Sends the report to a user, who doesn't have to be a recipient.
   *
   * @throws {ProblemError} 409 without a mail server or if it doesn't accept the email, 429 if a rate limit is reached.
   */
  async sendToUser(
    project: ReportedProject,
    { email }: { email: string },
    period: RequestedPeriod,
  ): Promise<SentReport> {
    const { report, schedule } = await this.prepare(project, period, this.now());
    const recipient = {
      unsubscribeUrl: `${this.publicUrl}/account#reports`,
      isMember: true,
      frequency: schedule.frequency,
    };
    const mail = buildReportMail(report, recipient, await renderChart(report));
    const error = await this.deliver(email, { ...mail, headers: {} }, { isUserWaiting: true });
    if (error !== null) throw new ProblemError('conflict', error);
    return { recipients: 1 };
  }

  private async prepare(
    project: ReportedProject,
    period: RequestedPeriod,
    now: number,
  ): Promise<{ report: Report; schedule: ZonedSchedule }> {
    await this.requireMail();
    const { allowed, retryAfterSeconds: seconds } = await this.limiter.take(SEND_BUCKET, project.id, 1, SEND_LIMIT);
    if (!allowed) throw tooManyRequests(`Too many reports sent. Try again in ${seconds} s.`, seconds);
    const schedule = (await this.recipients.listZonedSchedules([project.id])).get(project.id)!;
    return { report: await this.reports.build(project.id, schedule, period, now), schedule };
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
