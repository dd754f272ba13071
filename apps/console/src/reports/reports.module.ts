import { Module } from '@nestjs/common';
import { MailModule } from '../alerts/channels/mail.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

@Module({
  imports: [MailModule, ProjectsModule, StatisticsModule],
  controllers: [ReportsController],
  providers: [ReportsService, SubscriptionsRepository],
})
export class ReportsModule {}
