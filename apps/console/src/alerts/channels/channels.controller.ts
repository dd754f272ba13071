import { Controller, Inject } from '@nestjs/common';
import {
  changeAlertChannel,
  createAlertChannel,
  deleteAlertChannel,
  listAlertChannels,
  listAlertDeliveries,
  MAX_ALERT_CHANNELS,
  replayAlertDelivery,
  resendMailConfirmations,
  revealWebhookSecret,
  rotateWebhookSecret,
  testAlertChannel,
  type AlertChannel,
  type AlertChannelKind,
  type AlertDelivery,
} from '#libs/contracts';
import { CLOCK, type Clock, Handle, invalidBody, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { ChannelSender } from './channel.sender.js';
import { ConfirmationsService } from './confirmations.service.js';
import { ChannelsRepository, type ChannelTarget } from './channels.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { MailSender } from './mail.sender.js';

@Controller()
export class ChannelsController {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly service: DeliveriesService,
    private readonly sender: ChannelSender,
    private readonly mail: MailSender,
    private readonly projects: ProjectsRepository,
    private readonly confirmations: ConfirmationsService,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(listAlertChannels)
  async list({ params }: RequestOf<typeof listAlertChannels>) {
    const { id } = await this.projects.require(params.id);
    return { channels: await this.channels.list(id), can_send_mail: await this.mail.isAvailable() };
  }

  @Handle(createAlertChannel)
  async create({ params, body }: RequestOf<typeof createAlertChannel>): Promise<AlertChannel> {
    const target = await this.parseTarget(body.kind, body);
    if (target === undefined) {
      throw invalidBody(body.kind === 'email' ? '/addresses' : '/url', `is required for this kind of channel`);
    }
    const created = await this.channels.create(params.id, body, target);
    if (created === 'unknown') throw notFound('project');
    if (created === 'full') {
      throw new ProblemError(
        'conflict',
        `A project can have at most ${MAX_ALERT_CHANNELS} channels. Delete one first.`,
      );
    }
    if ('addresses' in target) await this.requestConfirmations(params.id, target.addresses);
    return this.require(params.id, created.id);
  }

  @Handle(changeAlertChannel)
  async change({ params: { id, channelId }, body }: RequestOf<typeof changeAlertChannel>): Promise<AlertChannel> {
    await this.projects.require(id);
    const { kind } = await this.require(id, channelId);
    const target = await this.parseTarget(kind, body);
    await this.channels.change(id, channelId, { ...body, target });
    if (target !== undefined && 'addresses' in target) await this.requestConfirmations(id, target.addresses);
    return this.require(id, channelId);
  }

  @Handle(deleteAlertChannel)
  async delete({ params }: RequestOf<typeof deleteAlertChannel>): Promise<void> {
    const { id } = await this.projects.require(params.id);
    if (!(await this.channels.delete(id, params.channelId))) throw notFound('channel');
  }

  @Handle(testAlertChannel)
  async test({ params }: RequestOf<typeof testAlertChannel>): Promise<AlertDelivery> {
    const { id, name } = await this.projects.require(params.id);
    await this.require(id, params.channelId);
    const delivery = await this.service.test(params.channelId, { id, name });
    if (delivery === undefined) throw notFound('channel');
    return delivery;
  }

  @Handle(resendMailConfirmations)
  async resend({ params }: RequestOf<typeof resendMailConfirmations>): Promise<void> {
    const project = await this.projects.require(params.id);
    const { pending_addresses: addresses } = await this.require(project.id, params.channelId);
    await this.confirmations.resend(project, addresses);
  }

  @Handle(revealWebhookSecret)
  async reveal({ params }: RequestOf<typeof revealWebhookSecret>): Promise<{ secret: string }> {
    const { id } = await this.projects.require(params.id);
    return requireSecret(await this.channels.reveal(id, params.channelId));
  }

  @Handle(rotateWebhookSecret)
  async rotate({ params }: RequestOf<typeof rotateWebhookSecret>): Promise<{ secret: string }> {
    const { id } = await this.projects.require(params.id);
    return requireSecret(await this.channels.rotate(id, params.channelId, this.now()));
  }

  @Handle(listAlertDeliveries)
  async listDeliveries({ params }: RequestOf<typeof listAlertDeliveries>): Promise<{ deliveries: AlertDelivery[] }> {
    const { id } = await this.projects.require(params.id);
    return { deliveries: await this.deliveries.list(id) };
  }

  @Handle(replayAlertDelivery)
  async replay({ params }: RequestOf<typeof replayAlertDelivery>): Promise<AlertDelivery> {
    const { id } = await this.projects.require(params.id);
    const isReplayed = await this.service.replay(id, params.deliveryId);
    const [delivery] = await this.deliveries.list(id, params.deliveryId);
    if (delivery === undefined) throw notFound('delivery');
    if (!isReplayed) {
      throw new ProblemError(
        'conflict',
        'The delivery is already queued, or its channel is turned off. Turn on the channel to replay the delivery.',
      );
    }
    return delivery;
  }

  private async requestConfirmations(projectId: string, addresses: readonly string[]): Promise<void> {
    await this.confirmations.add(await this.projects.require(projectId), addresses);
  }

  private async require(projectId: string, id: string): Promise<AlertChannel> {
    const [channel] = await this.channels.list(projectId, id);
    if (channel === undefined) throw notFound('channel');
    return channel;
  }

  /**
   * Validates the target in a request body.
   *
   * @returns Undefined if the body contains no target.
   * @throws {ProblemError} 422 if the target is invalid for this kind of channel, or 409 if it contains email addresses
   * and no mail server is set.
   */
  private async parseTarget(
    kind: AlertChannelKind,
    { url, addresses }: { url?: string | undefined; addresses?: string[] | undefined },
  ): Promise<ChannelTarget | undefined> {
    if (kind === 'email') {
      if (url !== undefined) throw invalidBody('/url', 'must be omitted: email channels use addresses');
      if (addresses !== undefined && !(await this.mail.isAvailable())) {
        throw new ProblemError('conflict', 'This instance has no mail server. An administrator must set one first.');
      }
      return addresses && { addresses };
    }
    if (addresses !== undefined) throw invalidBody('/addresses', 'must be omitted: only email channels use addresses');
    const rejectionReason = url === undefined ? null : this.sender.getUrlRejection(url);
    if (rejectionReason !== null) throw invalidBody('/url', `is not allowed: ${rejectionReason}`);
    return url === undefined ? undefined : { url };
  }
}

function requireSecret(secret: string | null): { secret: string } {
  if (secret === null) throw notFound('webhook');
  return { secret };
}
