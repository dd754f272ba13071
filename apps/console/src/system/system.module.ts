import { Module } from '@nestjs/common';
import { NetworksModule } from '../networks/networks.module.js';
import { PipelineService } from './pipeline.service.js';
import { ProcessesRepository } from './processes.repository.js';
import { QueueService } from './queue.service.js';
import { RulesHealthService } from './rules-health.service.js';
import { SystemController } from './system.controller.js';
import { SystemRepository } from './system.repository.js';

/** The state of the instance: processes, queue, disk. */
@Module({
  imports: [NetworksModule],
  controllers: [SystemController],
  providers: [SystemRepository, ProcessesRepository, PipelineService, QueueService, RulesHealthService],
})
export class SystemModule {}
