import { Module } from '@nestjs/common';
import { credentialUsage, SecretBox } from '#libs/database';
import { CLOCK, type Clock } from '#libs/platform';
import { AccessModule } from '../access/access.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { SharedController } from './shared.controller.js';
import { SharedLinksController } from './shared-links.controller.js';
import { SharedLinksRepository } from './shared-links.repository.js';
import { SharedOverviewService } from './shared-overview.service.js';
import { SharedPass } from './shared-pass.js';

/** Links to a project's overview for people without an account. */
@Module({
  imports: [AccessModule, PasswordsModule, ProjectsModule, ReadingModule, StatisticsModule],
  controllers: [SharedLinksController, SharedController],
  providers: [
    SharedLinksRepository,
    SharedOverviewService,
    {
      provide: SharedPass,
      useFactory: (secrets: SecretBox, now: Clock) => new SharedPass(secrets.derive('shared links'), now),
      inject: [SecretBox, CLOCK],
    },
    credentialUsage('shared_links'),
  ],
  exports: [SharedLinksRepository, SharedPass],
})
export class SharingModule {}
