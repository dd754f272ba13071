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
import { comparedRangeOf, rangeOf, seriesOf, type ComparedSeries } from './time-range.js';
import { VerificationService } from './verification.service.js';
import { VisitingAgentService } from './visiting-agent.service.js';
import { VisitingAgentsService } from './visiting-agents.service.js';

type AskedRange = Pick<RequestOf<typeof getOverview>['query'], 'from' | 'to' | 'compare_from'>;

@Controller()
export class StatisticsController {
  constructor(
    private readonly overviews: OverviewService,
    private readonly agents: VisitingAgentsService,
    private readonly agent: VisitingAgentService,
    private readonly verifications: VerificationService,
    private readonly referred: ReferralsService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getOverview)
  async overview({ params: { id: projectId }, query }: RequestOf<typeof getOverview>): Promise<Overview> {
    const { visitors, compare_from: _, ...filters } = query;
    const series = await this.series(projectId, query);
    return this.overviews.overview(projectId, series, { filters: { ...filters, from: null, to: null }, visitors });
  }

  @Handle(listVisitingAgents)
  async visitingAgents({
    params: { id: projectId },
    query,
  }: RequestOf<typeof listVisitingAgents>): Promise<VisitingAgents> {
    return this.agents.list(projectId, query, await this.series(projectId, query));
  }

  @Handle(getVisitingAgent)
  async visitingAgent({
    params: { id: projectId, agentId },
    query,
  }: RequestOf<typeof getVisitingAgent>): Promise<VisitingAgent> {
    const series = await this.series(projectId, query);
    const agent = await this.agent.find(projectId, agentId, series);
    if (agent === null) throw notFound('agent');
    return agent;
  }

  @Handle(getVerification)
  async verification({
    params: { id: projectId },
    query,
  }: RequestOf<typeof getVerification>): Promise<VerificationOverview> {
    const { current } = await this.series(projectId, { ...query, compare_from: null });
    return this.verifications.overview(projectId, current);
  }

  @Handle(getReferrals)
  async referrals({ params: { id: projectId }, query }: RequestOf<typeof getReferrals>): Promise<Referrals> {
    return this.referred.referrals(projectId, await this.series(projectId, query));
  }

  private async series(projectId: string, asked: AskedRange): Promise<ComparedSeries> {
    const range = rangeOf(asked, this.now());
    const compared = comparedRangeOf(range, asked.compare_from);
    const { time_zone: timeZone } = await this.projects.require(projectId);
    return { current: seriesOf(range, timeZone), previous: seriesOf(compared, timeZone) };
  }
}
