import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, tooManyRequests, type Logger } from '#libs/platform';
import { v7 } from 'uuid';
import { PUBLIC_URL } from '../../public-url.js';
import { ConfirmationLimits } from './confirmation-limits.js';
import { MailSender } from './mail.sender.js';
import { mailText } from './mail-text.js';
import { RecipientsRepository, type Recipient } from './recipients.repository.js';

/** Emails new alert recipients a confirmation link. Users can enter any address, so its owner must agree first. */
@Injectable()
export class ConfirmationsService {
  constructor(
    private readonly recipients: RecipientsRepository,
    private readonly mail: MailSender,
    private readonly limits: ConfirmationLimits,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Adds recipients and emails the new ones a confirmation link. Skips the email if a rate limit is reached. */
  async add(project: { id: string; name: string }, addresses: readonly string[]): Promise<void> {
    for (const recipient of await this.recipients.add(project.id, addresses)) {
      if ((await this.limits.count(project.id, recipient.address)) > 0) continue;
      this.send(project.name, recipient).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'failed to send a confirmation email to an alert recipient'),
      );
    }
  }

  /**
   * Sends another confirmation email to recipients who haven't confirmed yet.
   *
   * @throws {ProblemError} 429 if a rate limit is reached.
   */
  async resend(project: { id: string; name: string }, addresses: readonly string[]): Promise<void> {
    const pending = await this.recipients.findPending(project.id, addresses);
    for (const recipient of pending) {
      const seconds = await this.limits.count(project.id, recipient.address);
      if (seconds > 0) throw tooManyRequests(`Too many confirmation emails. Try again in ${seconds} s.`, seconds);
      await this.send(project.name, recipient);
    }
  }

  private async send(projectName: string, { id, address }: Recipient): Promise<void> {
    const { host } = new URL(this.publicUrl);
    const text = [
      `Someone entered your email address to receive alerts about "${mailText(projectName, 80)}" from Agent Traffic at ${this.publicUrl}.`,
      '',
      'To receive these alerts, confirm your address:',
      `${this.publicUrl}/alert-mail?of=${id}`,
      '',
      "If you don't want them, ignore this email. To stop emails like this one, open the link and unsubscribe.",
      '',
    ];
    await this.mail.send(
      { to: [address], id: v7(), subject: `Confirm alert emails from ${host}`, text: text.join('\n') },
      { isUserWaiting: true },
    );
  }
}
