import { Module } from '@nestjs/common';
import { MailModule } from '../alerts/channels/mail.module.js';
import { ComplianceModule } from '../compliance/compliance.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ProjectReportController } from './project-report.controller.js';
import { ReportBuilder } from './report-builder.service.js';
import { ReportDataService } from './report-data.service.js';
import { ReportRecipientsRepository } from './report-recipients.repository.js';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';
import { SendReportService } from './send-report.service.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

@Module({
  imports: [ComplianceModule, MailModule, ProjectsModule, StatisticsModule],
  controllers: [ReportsController, ProjectReportController],
  providers: [
    ReportsService,
    SubscriptionsRepository,
    ReportRecipientsRepository,
    ReportDataService,
    ReportBuilder,
    SendReportService,
  ],
})
export class ReportsModule {}
