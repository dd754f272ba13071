import { Body, Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { AgentsApi } from '#libs/catalog';
import {
  ROBOTS_TXT_FORMATS,
  RulesSelectionSchema,
  validator,
  type ProjectRules,
  type RulesSelection,
  type RulesVersion,
  type RulesVersionList,
} from '#libs/contracts';
import { RulesApi } from '#libs/rules';
import type { FastifyRequest } from 'fastify';
import { notFound, requireId, requireProject, type Principal } from '../access/principal.js';
import { checked } from '../checked.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { ProjectRulesRepository } from './project-rules.repository.js';

const rulesSelection = validator(RulesSelectionSchema);

/** Rules for robots.txt and servers, and what was saved of them for a project. */
@Controller('api/projects/:id')
export class ProjectRulesController {
  constructor(
    private readonly rules: RulesApi,
    private readonly agents: AgentsApi,
    private readonly projects: ProjectsRepository,
    private readonly versions: ProjectRulesRepository,
  ) {}

  @Post('rules')
  @HttpCode(200)
  @RouteConfig({ access: 'console' })
  async preview(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<ProjectRules> {
    await this.project(principal, id);
    return this.render(checked(rulesSelection, body));
  }

  @Get('rules-versions')
  @RouteConfig({ access: 'console' })
  async list(@Req() { principal }: FastifyRequest, @Param('id') id: string): Promise<RulesVersionList> {
    return { versions: await this.versions.list(await this.project(principal, id)) };
  }

  @Post('rules-versions')
  @RouteConfig({ access: 'console' })
  async save(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<RulesVersion> {
    const projectId = requireProject(principal, id, 'member');
    const selection = checked(rulesSelection, body);
    const rendered = await this.render(selection);
    const saved = await this.versions.save(projectId, selection, rendered, principal.user?.id ?? null);
    if (saved === null) throw notFound('project');
    return saved;
  }

  @Get('rules-versions/:versionId')
  @RouteConfig({ access: 'console' })
  async find(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Param('versionId') versionId: string,
  ): Promise<RulesVersion> {
    const projectId = await this.project(principal, id);
    const version = await this.versions.find(projectId, requireId(versionId, 'version'));
    if (version === null) throw notFound('version');
    return version;
  }

  /** @throws ProblemError 404 */
  private async project(principal: Principal, id: string): Promise<string> {
    const projectId = requireProject(principal, id);
    // Administrators reach any id, also one that is nobody's.
    if (principal.admin && (await this.projects.find(projectId)) === null) throw notFound('project');
    return projectId;
  }

  private async render({ format, disallow, ...agents }: RulesSelection): Promise<ProjectRules> {
    const robotsTxtFormat = ROBOTS_TXT_FORMATS.find((one) => one === format);
    const [{ content }, { catalog_version: version }] = await Promise.all([
      robotsTxtFormat === undefined
        ? this.rules.userAgentTokenList({ ...agents, format: format as never })
        : this.rules.robotsTxt({ ...agents, ...(disallow !== undefined && { disallow }), format: robotsTxtFormat }),
      this.agents.list({ limit: 1 }),
    ]);
    return { text: content.toString(), catalog_version: version };
  }
}
