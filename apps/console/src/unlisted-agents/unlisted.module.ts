import { Module } from '@nestjs/common';
import { UnlistedAgentsRepository, provideRepositories } from '#libs/visit-store';
import { NetworksModule } from '../networks/networks.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { DismissedUserAgentsRepository } from './dismissed-user-agents.repository.js';
import { PatternTrialService } from './pattern-trial.service.js';
import { UnlistedController } from './unlisted.controller.js';
import { UnlistedService } from './unlisted.service.js';

/** Lists programs that don't match any agent in the catalog. */
@Module({
  imports: [ProjectsModule, ReadsModule, StatisticsModule, NetworksModule],
  controllers: [UnlistedController],
  providers: [
    ...provideRepositories(UnlistedAgentsRepository),
    UnlistedService,
    PatternTrialService,
    DismissedUserAgentsRepository,
  ],
})
export class UnlistedModule {}
