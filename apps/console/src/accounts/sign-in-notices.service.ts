import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind } from '#libs/cache';
import type { User } from '#libs/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '#libs/platform';
import { getBrowserName } from '#libs/sign-in';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 } from 'uuid';
import { DeviceCookie } from '../access/device-cookie.js';
import { MailSender } from '../alerts/channels/mail.sender.js';
import { PUBLIC_URL } from '../public-url.js';

/** Limits notices by account and by email address, because an account may be registered with someone else's address. */
const NOTICE_BUCKET: BucketKind = { name: 'notices-of-sign-ins', failsOpen: false };
/** A burst of 5 notices, then one every 4 hours. */
const NOTICE_LIMIT = { burst: 5, perSecond: 1 / 14_400 };

/** Marks browsers as known to an account, and sends an email after a sign-in from a new browser. */
@Injectable()
export class SignInNotices {
  constructor(
    private readonly device: DeviceCookie,
    private readonly mail: MailSender,
    private readonly limiter: RateLimiter,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sets the device cookie, which gives the browser its own rate limit, and sends a notice if the browser is new. Must
   * be called after a session is opened.
   *
   * @param isNewAccount Whether this sign-in created the account. In that case, no notice is sent.
   */
  onSignIn(request: FastifyRequest, reply: FastifyReply, user: User, { isNewAccount = false } = {}): void {
    const isKnown = this.device.findDevice(user.email, request.headers.cookie) !== null;
    void reply.header('set-cookie', this.device.issue(user.email, request.headers.cookie));
    if (isKnown || isNewAccount) return;
    // Don't await the email, because the mail server must not delay or fail a sign-in.
    this.send(request, user).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'failed to send a notice about a sign-in from a new browser'),
    );
  }

  /**
   * Sends the notice. It contains no text that the account's owner or the client can choose, because the address may
   * belong to someone else.
   */
  private async send({ clientAddress, headers }: FastifyRequest, { id, email }: User): Promise<void> {
    if (!(await this.mail.isAvailable())) return;
    if (!(await this.canNotify(`account:${id}`)) || !(await this.canNotify(`address:${hash('sha256', email)}`))) return;
    const { host } = new URL(this.publicUrl);
    const lines = [
      'Hello,',
      '',
      `Your account at ${this.publicUrl} was just used to sign in from a new browser.`,
      '',
      `Time: ${new Date(this.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `IP address: ${clientAddress}`,
      `Browser: ${getBrowserName(headers['user-agent'] ?? null) ?? 'unknown'}`,
      '',
      "If this was you, you don't need to do anything. If it wasn't, change your password and end that session:",
      `${this.publicUrl}/account#sessions`,
    ];
    const subject = `New sign-in to Agent Traffic (${host})`;
    const mail = { to: [email], id: v7(), subject, text: `${lines.join('\n')}\n` };
    await this.mail.send(mail, { isUserWaiting: true });
  }

  private async canNotify(bucket: string): Promise<boolean> {
    return (await this.limiter.take(NOTICE_BUCKET, bucket, 1, NOTICE_LIMIT)).allowed;
  }
}
