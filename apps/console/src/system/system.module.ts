import { Module } from '@nestjs/common';
import { StoreSizeRepository } from '#libs/visit-store';
import { NetworksModule } from '../networks/networks.module.js';
import { PipelineService } from './pipeline.service.js';
import { ProcessesRepository } from './processes.repository.js';
import { QueueService } from './queue.service.js';
import { RulesHealthService } from './rules-health.service.js';
import { SystemController } from './system.controller.js';
import { SystemRepository } from './system.repository.js';

/** State of the instance: processes, queue and disk. */
@Module({
  imports: [NetworksModule],
  controllers: [SystemController],
  providers: [
    SystemRepository,
    StoreSizeRepository,
    ProcessesRepository,
    PipelineService,
    QueueService,
    RulesHealthService,
  ],
})
export class SystemModule {}
