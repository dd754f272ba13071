import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsRepository } from './invitations.repository.js';
import { MembersController } from './members.controller.js';
import { MembersRepository } from './members.repository.js';

@Module({
  imports: [AccessModule, ProjectsModule],
  controllers: [MembersController, InvitationsController],
  providers: [InvitationsRepository, MembersRepository],
  exports: [InvitationsRepository],
})
export class MembersModule {}
