import { Controller, Inject } from '@nestjs/common';
import {
  getOverview,
  getReferrals,
  getVerification,
  getVisitingAgent,
  listVisitingAgents,
  type Overview,
  type Referrals,
  type VerificationOverview,
  type VisitingAgent,
  type VisitingAgents,
} from '#libs/contracts';
import { CLOCK, type Clock, Handle, notFound, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { OverviewService } from './overview.service.js';
import { ReferralsService } from './referrals.service.js';
import { resolveComparisonRange, resolveRange, createSeries, type ComparedSeries } from './time-range.js';
import { VerificationService } from './verification.service.js';
import { VisitingAgentService } from './visiting-agent.service.js';
import { VisitingAgentsService } from './visiting-agents.service.js';

type RangeQuery = Pick<RequestOf<typeof getOverview>['query'], 'from' | 'to' | 'compare_from'>;

@Controller()
export class StatisticsController {
  constructor(
    private readonly overviewService: OverviewService,
    private readonly visitingAgentsService: VisitingAgentsService,
    private readonly visitingAgentService: VisitingAgentService,
    private readonly verificationService: VerificationService,
    private readonly referralsService: ReferralsService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getOverview)
  async overview({ params: { id: projectId }, query }: RequestOf<typeof getOverview>): Promise<Overview> {
    const { visitors, breakdown, compare_from: _, ...filters } = query;
    const series = await this.getComparedSeries(projectId, query);
    return this.overviewService.overview(projectId, series, {
      filters: { ...filters, from: null, to: null },
      visitors,
      breakdown,
    });
  }

  @Handle(listVisitingAgents)
  async visitingAgents({
    params: { id: projectId },
    query,
  }: RequestOf<typeof listVisitingAgents>): Promise<VisitingAgents> {
    return this.visitingAgentsService.list(projectId, query, await this.getComparedSeries(projectId, query));
  }

  @Handle(getVisitingAgent)
  async visitingAgent({
    params: { id: projectId, agentId },
    query,
  }: RequestOf<typeof getVisitingAgent>): Promise<VisitingAgent> {
    const series = await this.getComparedSeries(projectId, query);
    const agent = await this.visitingAgentService.find(projectId, agentId, series);
    if (agent === null) throw notFound('agent');
    return agent;
  }

  @Handle(getVerification)
  async verification({
    params: { id: projectId },
    query,
  }: RequestOf<typeof getVerification>): Promise<VerificationOverview> {
    return this.verificationService.overview(projectId, await this.getComparedSeries(projectId, query), query.result);
  }

  @Handle(getReferrals)
  async referrals({ params: { id: projectId }, query }: RequestOf<typeof getReferrals>): Promise<Referrals> {
    return this.referralsService.referrals(projectId, await this.getComparedSeries(projectId, query));
  }

  private async getComparedSeries(projectId: string, query: RangeQuery): Promise<ComparedSeries> {
    const range = resolveRange(query, this.now());
    const compared = resolveComparisonRange(range, query.compare_from);
    const { time_zone: timeZone } = await this.projects.require(projectId);
    return { current: createSeries(range, timeZone), previous: createSeries(compared, timeZone) };
  }
}
