import { Controller } from '@nestjs/common';
import {
  changeMember,
  listMembers,
  removeMember,
  type Member,
  type MemberList,
  type ProjectRole,
} from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { MembersRepository } from './members.repository.js';

@Controller()
export class MembersController {
  constructor(
    private readonly members: MembersRepository,
    private readonly projects: ProjectsRepository,
    private readonly changes: AccessChanges,
  ) {}

  @Handle(listMembers)
  async list({ params: { id: projectId } }: RequestOf<typeof listMembers>): Promise<MemberList> {
    await this.projects.require(projectId);
    return { members: await this.members.list(projectId), invitations: await this.members.invitations(projectId) };
  }

  @Handle(changeMember)
  async change({ params, principal, body }: RequestOf<typeof changeMember>): Promise<Member> {
    const { id: projectId, userId } = params;
    await this.apply(projectId, userId, body.role, principal.makerId);
    const member = (await this.members.list(projectId)).find((one) => one.user_id === userId);
    if (member === undefined) throw notFound('member');
    return member;
  }

  @Handle(removeMember)
  async remove({ params, principal }: RequestOf<typeof removeMember>): Promise<void> {
    await this.apply(params.id, params.userId, null, principal.makerId);
  }

  private async apply(
    projectId: string,
    userId: string,
    role: ProjectRole | null,
    changedBy: string | null,
  ): Promise<void> {
    const outcome = await this.members.change(projectId, userId, role, changedBy);
    if (outcome === 'unknown') throw notFound('member');
    if (outcome === 'last') {
      throw new ProblemError('conflict', "This is the project's last owner. Make someone else an owner first.");
    }
    await this.changes.apply();
  }
}
