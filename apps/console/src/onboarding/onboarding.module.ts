import { Module } from '@nestjs/common';
import { StoredVisitsRepository, TestAgentVisitsRepository, provideRepositories } from '#libs/visit-store';
import { AccessModule } from '../access/access.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { VisitsModule } from '../visits/visits.module.js';
import { DrainsController } from './drains.controller.js';
import { DrainsRepository } from './drains.repository.js';
import { KeyDirectoryController } from './key-directory.controller.js';
import { RejectedRequestsController } from './rejected-requests.controller.js';
import { RejectedRequestsRepository } from './rejected-requests.repository.js';
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
    RejectedRequestsController,
    SampleVisitsController,
    SignedVisitsController,
    TestVisitsController,
    VisitorPathController,
  ],
  providers: [
    ...provideRepositories(StoredVisitsRepository, TestAgentVisitsRepository),
    DrainsRepository,
    RejectedRequestsRepository,
    SampleVisitService,
    TestAgentRepository,
    TestAgentService,
    TestVisitsRepository,
    TestVisitsService,
  ],
})
export class OnboardingModule {}
