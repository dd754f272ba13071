import { Controller, Get, Inject, Param, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Overview, VerificationOverview, VisitingAgent, VisitingAgents } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { notFound, requireId, requireProject } from '../access/principal.js';
import { ParameterReader, type Parameters } from '../parameters.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { readAgentsQuery } from './agents-query.js';
import { OverviewService } from './overview.service.js';
import { readRange, seriesOf, type Series, type TimeRange } from './time-range.js';
import { VerificationService } from './verification.service.js';
import { VisitingAgentService } from './visiting-agent.service.js';
import { VisitingAgentsService } from './visiting-agents.service.js';

/** Charts and lists of a range of time. */
@Controller('api/projects/:id')
export class StatisticsController {
  constructor(
    private readonly overviews: OverviewService,
    private readonly agents: VisitingAgentsService,
    private readonly agent: VisitingAgentService,
    private readonly verifications: VerificationService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Get('overview')
  @RouteConfig({ access: 'console' })
  async overview(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Query() parameters: Parameters,
  ): Promise<Overview> {
    const projectId = requireProject(principal, id);
    return this.overviews.overview(projectId, await this.series(projectId, this.range(parameters)));
  }

  @Get('agents')
  @RouteConfig({ access: 'console' })
  async visitingAgents(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Query() parameters: Parameters,
  ): Promise<VisitingAgents> {
    const projectId = requireProject(principal, id);
    const query = readAgentsQuery(parameters, this.now());
    return this.agents.list(projectId, query, await this.series(projectId, query.range));
  }

  @Get('agents/:agentId')
  @RouteConfig({ access: 'console' })
  async visitingAgent(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Param('agentId') agentId: string,
    @Query() parameters: Parameters,
  ): Promise<VisitingAgent> {
    const projectId = requireProject(principal, id);
    const series = await this.series(projectId, this.range(parameters));
    const agent = await this.agent.find(projectId, requireId(agentId, 'agent'), series);
    if (agent === null) throw notFound('agent');
    return agent;
  }

  @Get('verification')
  @RouteConfig({ access: 'console' })
  async verification(
    @Req() { principal }: FastifyRequest,
    @Param('id') id: string,
    @Query() parameters: Parameters,
  ): Promise<VerificationOverview> {
    const projectId = requireProject(principal, id);
    return this.verifications.overview(projectId, await this.series(projectId, this.range(parameters)));
  }

  private range(parameters: Parameters): TimeRange {
    const reader = new ParameterReader(parameters);
    const range = readRange(reader, this.now());
    reader.finish();
    return range;
  }

  private async series(projectId: string, range: TimeRange): Promise<Series> {
    const project = await this.projects.find(projectId);
    if (project === null) throw notFound('project');
    return seriesOf(range, project.time_zone);
  }
}
