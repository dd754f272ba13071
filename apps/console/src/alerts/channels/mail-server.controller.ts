import { Controller, Inject } from '@nestjs/common';
import {
  changeMailServer,
  getMailServer,
  removeMailServer,
  testMailServer,
  type MailServer,
  type MailTest,
} from '#libs/contracts';
import {
  errorMessage,
  Handle,
  LOGGER,
  notFound,
  ProblemError,
  requireMatchingVersion,
  type Logger,
  type RequestOf,
} from '#libs/platform';
import type { NodemailerError } from 'nodemailer';
import { v7 } from 'uuid';
import { PUBLIC_URL } from '../../public-url.js';
import { explainMailFailure, toSmtpResponse } from './mail-failure.js';
import { MailSender } from './mail.sender.js';
import { MailServerService } from './mail-server.service.js';

/** Lets administrators set and test the mail server. */
@Controller()
export class MailServerController {
  constructor(
    private readonly server: MailServerService,
    private readonly mail: MailSender,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Handle(getMailServer)
  show(): Promise<MailServer> {
    return this.server.describe();
  }

  @Handle(changeMailServer)
  change({ body }: RequestOf<typeof changeMailServer>): Promise<MailServer> {
    return this.server.change(body, requireMatchingVersion);
  }

  @Handle(removeMailServer)
  async remove(): Promise<void> {
    if (!(await this.server.remove())) throw notFound('mail server');
  }

  @Handle(testMailServer)
  async test({ principal }: RequestOf<typeof testMailServer>): Promise<MailTest> {
    const { user } = principal;
    if (user === null) {
      throw new ProblemError('conflict', 'This API key belongs to no account, so it has no email address to send to.');
    }
    if (!(await this.server.isSet())) throw new ProblemError('conflict', 'No mail server is set. Set one first.');
    return { address: user.email, ...(await this.send(user.email)) };
  }

  private async send(address: string): Promise<Omit<MailTest, 'address'>> {
    const { host } = new URL(this.publicUrl);
    const text = `This is a test email from Agent Traffic at ${this.publicUrl}. Emails from this instance can reach you.\n`;
    try {
      const [rejected] = await this.mail.send(
        { to: [address], id: v7(), subject: `Test email from ${host}`, text },
        { isUserWaiting: true },
      );
      if (rejected === undefined) return { error: null, response: null };
      const error = 'The mail server rejected your address. It may require a login to send to it.';
      return { error, response: rejected.response ?? null };
    } catch (error) {
      this.logger.warn({ err: error }, 'failed to send a test email');
      const settings = await this.server.find().catch(() => null);
      const cause = error instanceof Error ? (error.cause as NodemailerError | undefined) : undefined;
      if (cause === undefined || settings === null) return { error: errorMessage(error), response: null };
      return { error: explainMailFailure(cause, settings), response: toSmtpResponse(cause) };
    }
  }
}
