import { Module } from '@nestjs/common';
import { StoreSizeRepository, VisitStoreStatusRepository, provideRepositories } from '#libs/visit-store';
import { NetworksModule } from '../networks/networks.module.js';
import { AddressListsController } from './address-lists.controller.js';
import { PipelineService } from './pipeline.service.js';
import { ProcessesRepository } from './processes.repository.js';
import { QueueService } from './queue.service.js';
import { RulesHealthService } from './rules-health.service.js';
import { SystemController } from './system.controller.js';
import { SystemRepository } from './system.repository.js';

/** Reports the state of the instance's processes, queue and disk. */
@Module({
  imports: [NetworksModule],
  controllers: [AddressListsController, SystemController],
  providers: [
    ...provideRepositories(StoreSizeRepository, VisitStoreStatusRepository),
    SystemRepository,
    ProcessesRepository,
    PipelineService,
    QueueService,
    RulesHealthService,
  ],
})
export class SystemModule {}
