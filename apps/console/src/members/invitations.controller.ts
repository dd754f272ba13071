import { Body, Controller, Delete, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { RoleChangeSchema, validator, type RevealedInvitation } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import { notFound, requireId, requireProject } from '../access/principal.js';
import { checked } from '../checked.js';
import { PUBLIC_URL } from '../public-url.js';
import { InvitationsRepository } from './invitations.repository.js';

const newInvitation = validator(RoleChangeSchema);

/** Invitations as the owners of a project have them. */
@Controller('api/projects/:id/invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsRepository,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Post()
  @RouteConfig({ access: 'console' })
  async create(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<RevealedInvitation> {
    const projectId = requireProject(principal, id, 'owner');
    const { role } = checked(newInvitation, body);
    const made = await this.invitations.create(projectId, role, principal.makerId);
    if (made === null) throw notFound('project');
    const { token, ...invitation } = made;
    return { ...invitation, url: `${this.publicUrl}/invitations/${token}` };
  }

  @Delete(':invitationId')
  @HttpCode(204)
  @RouteConfig({ access: 'console' })
  async revoke(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Param('invitationId') invitationId: string,
  ): Promise<void> {
    const projectId = requireProject(principal, id, 'owner');
    if (!(await this.invitations.revoke(projectId, requireId(invitationId, 'invitation')))) {
      throw notFound('invitation');
    }
  }
}
