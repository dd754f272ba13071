import { Inject, Injectable } from '@nestjs/common';
import type { User } from '#libs/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 } from 'uuid';
import { DeviceCookie } from '../access/device-cookie.js';
import { MailSender } from '../alerts/channels/mail.sender.js';
import { PUBLIC_URL } from '../public-url.js';

const MAX_USER_AGENT = 200;

/** Knows browsers in which an account has signed in, and tells its person of a new one by e-mail. */
@Injectable()
export class SignInNotices {
  constructor(
    private readonly device: DeviceCookie,
    private readonly mail: MailSender,
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
    const known = this.device.deviceIn(request.headers.cookie);
    const isKnown = known !== null && this.device.isOf(known, user.email);
    void reply.header('set-cookie', this.device.issue(user.email, request.headers.cookie));
    if (isKnown || isNewAccount || !this.mail.isAvailable) return;
    // Nobody waits for the mail server, and no sign-in fails with it.
    this.send(request, user).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'the notice of a sign-in in a new browser could not be sent'),
    );
  }

  private async send({ clientAddress, headers }: FastifyRequest, { email, name }: User): Promise<void> {
    const { host } = new URL(this.publicUrl);
    const lines = [
      `Hello ${name},`,
      '',
      `your account ${email} was used to sign in at ${this.publicUrl}, in a browser where it had not signed in before.`,
      '',
      `Time: ${new Date(this.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `Address: ${clientAddress}`,
      `Browser: ${plain(headers['user-agent'])}`,
      '',
      'If that was you, there is nothing to do. If not, change your password and sign out that session:',
      `${this.publicUrl}/account#sessions`,
    ];
    await this.mail.send({
      to: [email],
      id: v7(),
      subject: `New sign-in to Agent Traffic (${host})`,
      text: `${lines.join('\n')}\n`,
    });
  }
}

/** What a stranger sent, so that it reads as no more than a name: without links, lines or letters that look like others. */
function plain(userAgent = ''): string {
  const text = userAgent.replaceAll(/[^ -~]/g, '?').replaceAll('://', ' ');
  return text.trim() === '' ? 'unknown' : text.slice(0, MAX_USER_AGENT);
}
