import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind } from '#libs/cache';
import type { User } from '#libs/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '#libs/platform';
import { browserName } from '#libs/sign-in';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 } from 'uuid';
import { DeviceCookie } from '../access/device-cookie.js';
import { MailSender } from '../alerts/channels/mail.sender.js';
import { PUBLIC_URL } from '../public-url.js';

/** Limited by account and by email address, because accounts may have somebody else's address. */
const NOTICES: BucketKind = { name: 'notices-of-sign-ins', failsOpen: false };
/** 5, then one every 4 hours. */
const LIMIT = { burst: 5, perSecond: 1 / 14_400 };

/** Remembers the browsers of an account and sends an email after a sign-in in a new one. */
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
   * Sets the device cookie, which gives the browser its own rate limit. Sends a notice if the browser is new. Call after
   * opening a session.
   *
   * @param isNewAccount Whether this sign-in created the account. If so, no notice is sent.
   */
  signedIn(request: FastifyRequest, reply: FastifyReply, user: User, { isNewAccount = false } = {}): void {
    const isKnown = this.device.deviceOf(user.email, request.headers.cookie) !== null;
    void reply.header('set-cookie', this.device.issue(user.email, request.headers.cookie));
    if (isKnown || isNewAccount || !this.mail.isAvailable) return;
    // Not awaited: the mail server must not delay or fail a sign-in.
    this.send(request, user).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'the notice of a sign-in in a new browser could not be sent'),
    );
  }

  /** The mail contains no text chosen by the account's owner or the client, because it may reach somebody else. */
  private async send({ clientAddress, headers }: FastifyRequest, { id, email }: User): Promise<void> {
    if (!(await this.mayTell(`account:${id}`)) || !(await this.mayTell(`address:${hash('sha256', email)}`))) return;
    const { host } = new URL(this.publicUrl);
    const lines = [
      'Hello,',
      '',
      `The account with your address at ${this.publicUrl} was used to sign in, in a browser where it had not signed in before.`,
      '',
      `Time: ${new Date(this.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `Address: ${clientAddress}`,
      `Browser: ${browserName(headers['user-agent'] ?? null) ?? 'unknown'}`,
      '',
      'If that was you, there is nothing to do. If not, change your password and sign out that session:',
      `${this.publicUrl}/account#sessions`,
    ];
    const subject = `New sign-in to Agent Traffic (${host})`;
    const mail = { to: [email], id: v7(), subject, text: `${lines.join('\n')}\n` };
    await this.mail.send(mail, { isAsked: true });
  }

  private async mayTell(bucket: string): Promise<boolean> {
    return (await this.limiter.take(NOTICES, bucket, 1, LIMIT)).allowed;
  }
}
