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

/** By account, and by address: a person who enters somebody else's address as their own could fill that mailbox. */
const NOTICES: BucketKind = { name: 'notices-of-sign-ins', failsOpen: false };
/** 5, then one in four hours. */
const LIMIT = { burst: 5, perSecond: 1 / 14_400 };

/** Knows browsers in which an account has signed in, and tells its person of a new one by e-mail. */
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
   * Call once a session is open. Gives the browser its cookie, with which it has attempts of its own.
   *
   * @param isNewAccount whether this is what made the account: there is nothing to tell.
   */
  signedIn(request: FastifyRequest, reply: FastifyReply, user: User, { isNewAccount = false } = {}): void {
    const isKnown = this.device.deviceOf(user.email, request.headers.cookie) !== null;
    void reply.header('set-cookie', this.device.issue(user.email, request.headers.cookie));
    if (isKnown || isNewAccount || !this.mail.isAvailable) return;
    // Nobody waits for the mail server, and no sign-in fails with it.
    this.send(request, user).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'the notice of a sign-in in a new browser could not be sent'),
    );
  }

  /** Holds nothing that the account's owner or the visitor can choose: the address may be of somebody else. */
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
