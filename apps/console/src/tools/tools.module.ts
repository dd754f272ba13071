import { Module } from '@nestjs/common';
import { CheckoutCountsRepository } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ToolsController } from './tools.controller.js';
import { ToolsService } from './tools.service.js';

@Module({
  imports: [ProjectsModule, ReadsModule, StatisticsModule],
  controllers: [ToolsController],
  providers: [ToolsService, CheckoutCountsRepository],
})
export class ToolsModule {}
