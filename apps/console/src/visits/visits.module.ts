import { Module } from '@nestjs/common';
import { ClientNetworks, TimelineRepository, VisitDeletionRepository } from '#libs/visit-store';
import { AccessModule } from '../access/access.module.js';
import { NetworksModule } from '../networks/networks.module.js';
import { NetworksService } from '../networks/networks.service.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { ExportLimits, StreamLimits } from './stream-limits.js';
import { StreamBudget } from './stream-budget.js';
import { VisitDeletionController } from './visit-deletion.controller.js';
import { VisitExportController } from './visit-export.controller.js';
import { VisitExportService } from './visit-export.service.js';
import { VisitStreamController } from './visit-stream.controller.js';
import { VisitStreamService } from './visit-stream.service.js';
import { VisitsController } from './visits.controller.js';

/** Individual visits: timeline, streams, exports, deletion and dead letters. */
@Module({
  imports: [AccessModule, NetworksModule, ProjectsModule, ReadingModule],
  controllers: [
    VisitsController,
    VisitStreamController,
    VisitExportController,
    VisitDeletionController,
    DeadLettersController,
  ],
  providers: [
    DeadLettersRepository,
    ExportLimits,
    StreamBudget,
    StreamLimits,
    TimelineRepository,
    { provide: ClientNetworks, useExisting: NetworksService },
    VisitDeletionRepository,
    VisitExportService,
    VisitStreamService,
  ],
  exports: [ExportLimits, TimelineRepository],
})
export class VisitsModule {}
