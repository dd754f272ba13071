import { Module } from '@nestjs/common';
import { MailModule } from '../alerts/channels/mail.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ProjectReportController } from './project-report.controller.js';
import { ReportBuilder } from './report-builder.service.js';
import { ReportRecipientsRepository } from './report-recipients.repository.js';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';
import { SendReportService } from './send-report.service.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

@Module({
  imports: [MailModule, ProjectsModule, StatisticsModule],
  controllers: [ReportsController, ProjectReportController],
  providers: [ReportsService, SubscriptionsRepository, ReportRecipientsRepository, ReportBuilder, SendReportService],
})
export class ReportsModule {}
