import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { RoleChangeSchema, validator, type Member, type MemberList, type ProjectRole } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { AccessChanges } from '../access/access-changes.service.js';
import { notFound, requireId, requireProject } from '../access/principal.js';
import { checked } from '../checked.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { MembersRepository } from './members.repository.js';

const roleChange = validator(RoleChangeSchema);

@Controller('api/projects/:id/members')
export class MembersController {
  constructor(
    private readonly members: MembersRepository,
    private readonly projects: ProjectsRepository,
    private readonly changes: AccessChanges,
  ) {}

  @Get()
  @RouteConfig({ access: 'console' })
  async list(@Req() { principal }: FastifyRequest, @Param('id') id: string): Promise<MemberList> {
    const projectId = requireProject(principal, id);
    if ((await this.projects.find(projectId)) === null) throw notFound('project');
    return { members: await this.members.list(projectId), invitations: await this.members.invitations(projectId) };
  }

  @Patch(':userId')
  @RouteConfig({ access: 'console' })
  async change(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Param('userId') user: string,
    @Body() body: unknown,
  ): Promise<Member> {
    const projectId = requireProject(principal, id, 'owner');
    const { role } = checked(roleChange, body);
    const userId = requireId(user, 'member');
    await this.apply(projectId, userId, role, principal.makerId);
    const member = (await this.members.list(projectId)).find((one) => one.user_id === userId);
    if (member === undefined) throw notFound('member');
    return member;
  }

  @Delete(':userId')
  @HttpCode(204)
  @RouteConfig({ access: 'console' })
  async remove(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Param('userId') user: string,
  ): Promise<void> {
    const userId = requireId(user, 'member');
    const isThemselves = principal.user?.id === userId;
    const projectId = requireProject(principal, id, isThemselves ? 'viewer' : 'owner');
    await this.apply(projectId, userId, null, principal.makerId);
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
      throw new ProblemError('conflict', 'This is the last owner of the project. Make somebody else one before.');
    }
    await this.changes.apply();
  }
}
