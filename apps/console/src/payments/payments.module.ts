import { Module } from '@nestjs/common';
import { PaymentVisitsRepository, provideRepositories, ReturnVisitsRepository } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsService } from './payments.service.js';

@Module({
  imports: [ProjectsModule, ReadsModule, StatisticsModule],
  controllers: [PaymentsController],
  providers: [...provideRepositories(PaymentVisitsRepository, ReturnVisitsRepository), PaymentsService],
})
export class PaymentsModule {}
