import { Module } from '@nestjs/common';
import { VisitPathsRepository, provideRepositories } from '#libs/visit-store';
import { AccessModule } from '../access/access.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ProjectRulesController } from './project-rules.controller.js';
import { ProjectRulesRepository } from './project-rules.repository.js';
import { DisallowedVisitsService } from './disallowed-visits.service.js';
import { RulesTrialService } from './rules-trial.service.js';

@Module({
  imports: [AccessModule, ProjectsModule, ReadsModule, StatisticsModule],
  controllers: [ProjectRulesController],
  providers: [
    ...provideRepositories(VisitPathsRepository),
    DisallowedVisitsService,
    ProjectRulesRepository,
    RulesTrialService,
  ],
  exports: [ProjectRulesRepository],
})
export class RulesModule {}
