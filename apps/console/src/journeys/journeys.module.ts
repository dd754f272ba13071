import { Module } from '@nestjs/common';
import { JourneyVisitsRepository, provideRepositories } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { JourneysController } from './journeys.controller.js';
import { JourneysService } from './journeys.service.js';
import { SessionReader } from './session-reader.js';
import { SignersRepository } from './signers.repository.js';

@Module({
  imports: [ProjectsModule, ReadsModule, StatisticsModule],
  controllers: [JourneysController],
  providers: [...provideRepositories(JourneyVisitsRepository), JourneysService, SessionReader, SignersRepository],
})
export class JourneysModule {}
