import { Injectable } from '@nestjs/common';
import { AutomationJudge, parseAddress } from '#libs/agents';
import { CurrentCatalog } from '#libs/catalog';
import type { EnrichedVisit, Visit } from '#libs/contracts';
import type { ProjectSettings } from './project-settings.repository.js';
import { referralOf } from './referral.js';
import { RobotsService } from './robots.service.js';

/** What a visit means beside who it was. */
export type Insights = Pick<EnrichedVisit, 'robots' | 'referral' | 'automation'>;

/** A visit whose agent was identified, or was not. */
export interface InsightsRequest {
  projectId: string;
  project: ProjectSettings;
  /** Null for an unknown visitor. */
  agentId: string | null;
  /** As it was posted, or what was kept of it. */
  visit: Visit;
  /** The one that was believed; null where it is unknown, or was not kept. */
  clientAddress: string | null;
  /** When it occurred, in milliseconds since the epoch. */
  at: number;
}

/**
 * Says of visits of agents what robots.txt allowed them, and of visits of others who sent them and whether programs made
 * them.
 */
@Injectable()
export class VisitInsights {
  private readonly automation = new AutomationJudge();

  constructor(
    private readonly catalog: CurrentCatalog,
    private readonly robots: RobotsService,
  ) {}

  /**
   * Judges visits, in their order.
   *
   * @throws TransientError when versions of robots.txt cannot be read.
   */
  async judgeAll(requests: readonly InsightsRequest[]): Promise<Insights[]> {
    const judgments = await this.robots.judgeAll(requests.filter(isOfAgent));
    let ofAgents = 0;
    return requests.map((request) =>
      isOfAgent(request) ? { robots: judgments[ofAgents++]! } : this.ofUnknown(request),
    );
  }

  private ofUnknown({ visit, clientAddress, project, at }: InsightsRequest): Insights {
    const { request_headers: headers, request_path: path } = visit;
    const isInDataCenter = this.isInDataCenter(clientAddress);
    const automation = this.automation.judge({ headers, path, at, isInDataCenter });
    const referral = referralOf(visit, this.catalog.current.referrals, project.hostNames);
    return referral === null ? { automation } : { automation, referral };
  }

  private isInDataCenter(clientAddress: string | null): boolean {
    const { dataCenters } = this.catalog.current;
    if (dataCenters === null || clientAddress === null) return false;
    const address = parseAddress(clientAddress);
    return address !== null && dataCenters.contains(address);
  }
}

const isOfAgent = (request: InsightsRequest): request is InsightsRequest & { agentId: string } =>
  request.agentId !== null;
