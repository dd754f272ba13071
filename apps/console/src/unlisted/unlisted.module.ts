import { Module } from '@nestjs/common';
import { UnlistedRepository } from '#libs/visit-store';
import { NetworksModule } from '../networks/networks.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { DismissedUserAgentsRepository } from './dismissed-user-agents.repository.js';
import { PatternTrialService } from './pattern-trial.service.js';
import { UnlistedController } from './unlisted.controller.js';
import { UnlistedService } from './unlisted.service.js';

/** Programs that match no agent in the catalog. */
@Module({
  imports: [ProjectsModule, ReadingModule, StatisticsModule, NetworksModule],
  controllers: [UnlistedController],
  providers: [UnlistedService, UnlistedRepository, PatternTrialService, DismissedUserAgentsRepository],
})
export class UnlistedModule {}
