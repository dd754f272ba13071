import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import { LOGGER, tooManyRequests, type Logger } from '#libs/platform';
import { v7 } from 'uuid';
import { PUBLIC_URL } from '../../public-url.js';
import { MailSender } from './mail.sender.js';
import { mailText } from './mail-text.js';
import { RecipientsRepository, type Recipient } from './recipients.repository.js';

const CONFIRMATIONS: BucketKind = { name: 'mail-confirmations', failsOpen: false };
/** Low, because recipients didn't ask for these mails. The limit by address applies across projects. */
const LIMITS = {
  instance: { burst: 200, perSecond: 1 / 30 },
  project: { burst: 20, perSecond: 1 / 600 },
  address: { burst: 3, perSecond: 1 / 86_400 },
} satisfies Record<string, RateLimit>;

/** Asks alert recipients for confirmation, because anyone can enter an address. */
@Injectable()
export class ConfirmationsService {
  constructor(
    private readonly recipients: RecipientsRepository,
    private readonly mail: MailSender,
    private readonly limiter: RateLimiter,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Adds recipients and sends mails to new ones. Mails above the limits are skipped. */
  async add(project: { id: string; name: string }, addresses: readonly string[]): Promise<void> {
    for (const recipient of await this.recipients.add(project.id, addresses)) {
      if ((await this.waitFor(project.id, recipient)) > 0) continue;
      this.send(project.name, recipient).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'a recipient of alerts could not be asked for a confirmation'),
      );
    }
  }

  /** Sends another mail to recipients who haven't confirmed. @throws ProblemError 429 */
  async resend(project: { id: string; name: string }, addresses: readonly string[]): Promise<void> {
    const pending = await this.recipients.pending(project.id, addresses);
    for (const recipient of pending) {
      const seconds = await this.waitFor(project.id, recipient);
      if (seconds > 0) throw tooManyRequests(`Too many confirmation mails. Try again in ${seconds} s.`, seconds);
      await this.send(project.name, recipient);
    }
  }

  /** Counts a mail. @returns seconds to wait, or 0 if it may be sent. */
  private async waitFor(projectId: string, { address }: Recipient): Promise<number> {
    const buckets = { address: hash('sha256', address), project: projectId, instance: 'all' };
    for (const kind of ['address', 'project', 'instance'] as const) {
      const { allowed, retryAfterSeconds } = await this.limiter.take(
        CONFIRMATIONS,
        `${kind} ${buckets[kind]}`,
        1,
        LIMITS[kind],
      );
      if (!allowed) return retryAfterSeconds;
    }
    return 0;
  }

  private async send(projectName: string, { id, address }: Recipient): Promise<void> {
    const { host } = new URL(this.publicUrl);
    const text = [
      `Somebody entered your address to get alerts about "${mailText(projectName, 80)}" from Agent Traffic at ${this.publicUrl}.`,
      '',
      'If you want them, confirm here:',
      `${this.publicUrl}/alert-mail?of=${id}`,
      '',
      'If not, ignore this mail: you get no alerts. The same page lets you refuse further mails like this one.',
      '',
    ];
    await this.mail.send(
      { to: [address], id: v7(), subject: `Confirm alerts from ${host}`, text: text.join('\n') },
      { isAsked: true },
    );
  }
}
