import { type DynamicModule, Module } from '@nestjs/common';
import { AlertConditionsRepository } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsRepository } from './alerts.repository.js';
import { AlertsService } from './alerts.service.js';
import { ChannelSender } from './channels/channel.sender.js';
import { ChannelsController } from './channels/channels.controller.js';
import { ChannelsRepository } from './channels/channels.repository.js';
import { DeliveriesRepository } from './channels/deliveries.repository.js';
import { DeliveriesService } from './channels/deliveries.service.js';
import { MailModule } from './channels/mail.module.js';
import { ConfirmationsService } from './channels/confirmations.service.js';
import { RecipientsController } from './channels/recipients.controller.js';
import { RecipientsRepository } from './channels/recipients.repository.js';
import { CountedVisits, ImmediatelyCountedVisits, QueuedVisits } from './counted-visits.service.js';
import { ConditionsRepository } from './conditions.repository.js';
import { DemoEventsRepository } from './demo-events.repository.js';
import { DemoEventsService } from './demo-events.service.js';
import { AlertEvaluationRepository } from './evaluation.repository.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { NotificationsRepository } from './notifications/notifications.repository.js';
import { AlertEvaluationService } from './evaluation.service.js';

@Module({
  imports: [ProjectsModule, ReadsModule, MailModule],
  controllers: [AlertsController, NotificationsController, ChannelsController, RecipientsController],
  providers: [
    AlertsRepository,
    AlertsService,
    NotificationsRepository,
    AlertConditionsRepository,
    ConditionsRepository,
    AlertEvaluationRepository,
    AlertEvaluationService,
    DemoEventsRepository,
    DemoEventsService,
    ChannelsRepository,
    DeliveriesRepository,
    DeliveriesService,
    ChannelSender,
    RecipientsRepository,
    ConfirmationsService,
  ],
})
export class AlertsModule {
  /** @param hasQueue Whether Kafka consumers count the visits, instead of this process. */
  static forRoot(hasQueue: boolean): DynamicModule {
    const useClass = hasQueue ? QueuedVisits : ImmediatelyCountedVisits;
    return { module: AlertsModule, providers: [{ provide: CountedVisits, useClass }] };
  }
}
