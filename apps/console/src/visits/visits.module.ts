import { Module } from '@nestjs/common';
import { ClientNetworks, TimelineRepository, VisitDeletionRepository, provideRepositories } from '#libs/visit-store';
import { AccessModule } from '../access/access.module.js';
import { NetworksModule } from '../networks/networks.module.js';
import { NetworksService } from '../networks/networks.service.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { AgentBehaviorsRepository } from './agent-behaviors.repository.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { ExportLimiter, StreamLimits } from './stream-limits.js';
import { StreamBudget } from './stream-budget.js';
import { VisitDeletionController } from './visit-deletion.controller.js';
import { VisitExportController } from './visit-export.controller.js';
import { VisitExportService } from './visit-export.service.js';
import { VisitStreamController } from './visit-stream.controller.js';
import { VisitStreamService } from './visit-stream.service.js';
import { VisitsController } from './visits.controller.js';

/** Provides the timeline, live streams, exports and deletion of visits, and dead letters. */
@Module({
  imports: [AccessModule, NetworksModule, ProjectsModule, ReadsModule],
  controllers: [
    VisitsController,
    VisitStreamController,
    VisitExportController,
    VisitDeletionController,
    DeadLettersController,
  ],
  providers: [
    ...provideRepositories(TimelineRepository, VisitDeletionRepository),
    AgentBehaviorsRepository,
    DeadLettersRepository,
    ExportLimiter,
    StreamBudget,
    StreamLimits,
    { provide: ClientNetworks, useExisting: NetworksService },
    VisitExportService,
    VisitStreamService,
  ],
  exports: [AgentBehaviorsRepository, ExportLimiter, TimelineRepository],
})
export class VisitsModule {}
