import { Module } from '@nestjs/common';
import { ConductRepository, provideRepositories } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ConductController } from './conduct.controller.js';
import { ConductService } from './conduct.service.js';
import { RobotsDelaysRepository } from './robots-delays.repository.js';

@Module({
  imports: [ProjectsModule, ReadsModule, StatisticsModule],
  controllers: [ConductController],
  providers: [...provideRepositories(ConductRepository), ConductService, RobotsDelaysRepository],
})
export class ConductModule {}
