import { Controller } from '@nestjs/common';
import { confirmMailRecipient, isUuid, showMailRecipient, stopMailRecipient } from '#libs/contracts';
import { Handle, notFound, type RequestOf } from '#libs/platform';
import { RecipientsRepository } from './recipients.repository.js';

/** Serves the links in alert emails. The secret in the link is the only credential. */
@Controller()
export class RecipientsController {
  constructor(private readonly recipients: RecipientsRepository) {}

  @Handle(showMailRecipient)
  async show({ params, reply }: RequestOf<typeof showMailRecipient>): Promise<void> {
    await reply.redirect(`/alert-mail?${new URLSearchParams({ of: params.recipient })}`, 302);
  }

  @Handle(confirmMailRecipient)
  async confirm({ params: { recipient } }: RequestOf<typeof confirmMailRecipient>): Promise<void> {
    if (!isUuid(recipient) || !(await this.recipients.confirm(recipient))) throw notFound('confirmation');
  }

  @Handle(stopMailRecipient)
  async stop({ params: { recipient } }: RequestOf<typeof stopMailRecipient>): Promise<void> {
    if (isUuid(recipient)) await this.recipients.unsubscribe(recipient);
  }
}
