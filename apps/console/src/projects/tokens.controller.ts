import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { NewAccessTokenSchema, validator, type AccessToken, type RevealedAccessToken } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import { AccessChanges } from '../access/access-changes.service.js';
import { notFound, requireId, requireProject } from '../access/principal.js';
import { checked } from '../checked.js';
import { ProjectsRepository } from './projects.repository.js';
import { TokensRepository } from './tokens.repository.js';

const newToken = validator(NewAccessTokenSchema);

@Controller('api/projects/:id/tokens')
export class TokensController {
  constructor(
    private readonly tokens: TokensRepository,
    private readonly projects: ProjectsRepository,
    private readonly changes: AccessChanges,
  ) {}

  @Get()
  @RouteConfig({ access: 'console' })
  async list(@Req() { principal }: FastifyRequest, @Param('id') id: string): Promise<{ tokens: AccessToken[] }> {
    const projectId = requireProject(principal, id);
    if ((await this.projects.find(projectId)) === null) throw notFound('project');
    return { tokens: await this.tokens.list(projectId) };
  }

  @Post()
  @RouteConfig({ access: 'console' })
  async create(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<RevealedAccessToken> {
    const projectId = requireProject(principal, id, 'member');
    const { name = 'Access token' } = checked(newToken, body);
    const token = await this.tokens.create(projectId, name, principal.makerId);
    if (token === null) throw notFound('project');
    return token;
  }

  @Get(':tokenId')
  @RouteConfig({ access: 'console' })
  async reveal(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Param('tokenId') tokenId: string,
  ): Promise<RevealedAccessToken> {
    const token = await this.tokens.reveal(requireProject(principal, id, 'member'), requireId(tokenId, 'token'));
    if (token === null) throw notFound('token');
    return token;
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @RouteConfig({ access: 'console' })
  async revoke(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Param('tokenId') tokenId: string,
  ): Promise<void> {
    const hash = await this.tokens.revoke(requireProject(principal, id, 'owner'), requireId(tokenId, 'token'));
    if (hash === null) throw notFound('token');
    this.changes.announce(hash);
  }
}
