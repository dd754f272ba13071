import { Module } from '@nestjs/common';
import { credentialUsage, SecretBox } from '#libs/database';
import { CLOCK, type Clock } from '#libs/platform';
import { AccessModule } from '../access/access.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { SharedController } from './shared.controller.js';
import { SharedLinksController } from './shared-links.controller.js';
import { SharedLinksRepository } from './shared-links.repository.js';
import { SharedOverviewService } from './shared-overview.service.js';
import { SharedPass } from './shared-pass.js';

/** Shares a project's overview with people who have no account. */
@Module({
  imports: [AccessModule, PasswordsModule, ProjectsModule, ReadsModule, StatisticsModule],
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
