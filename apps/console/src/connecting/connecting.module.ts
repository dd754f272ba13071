import { Module } from '@nestjs/common';
import { StoredVisitsRepository, TestAgentVisitsRepository } from '#libs/visit-store';
import { AccessModule } from '../access/access.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { VisitsModule } from '../visits/visits.module.js';
import { DrainsController } from './drains.controller.js';
import { DrainsRepository } from './drains.repository.js';
import { KeyDirectoryController } from './key-directory.controller.js';
import { RefusedRequestsController } from './refused-requests.controller.js';
import { RefusedRequestsRepository } from './refused-requests.repository.js';
import { SampleVisitService } from './sample-visit.service.js';
import { SampleVisitsController } from './sample-visits.controller.js';
import { SignedVisitsController } from './signed-visits.controller.js';
import { TestAgentRepository } from './test-agent.repository.js';
import { TestAgentService } from './test-agent.service.js';
import { TestVisitsController } from './test-visits.controller.js';
import { TestVisitsRepository } from './test-visits.repository.js';
import { TestVisitsService } from './test-visits.service.js';
import { VisitorPathController } from './visitor-path.controller.js';

@Module({
  imports: [AccessModule, ProjectsModule, VisitsModule],
  controllers: [
    DrainsController,
    KeyDirectoryController,
    RefusedRequestsController,
    SampleVisitsController,
    SignedVisitsController,
    TestVisitsController,
    VisitorPathController,
  ],
  providers: [
    DrainsRepository,
    RefusedRequestsRepository,
    SampleVisitService,
    TestAgentRepository,
    TestAgentService,
    TestAgentVisitsRepository,
    TestVisitsRepository,
    TestVisitsService,
    StoredVisitsRepository,
  ],
})
export class ConnectingModule {}
