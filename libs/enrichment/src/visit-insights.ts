import { Injectable } from '@nestjs/common';
import { AutomationJudge, parseAddress } from '#libs/agents';
import { CurrentCatalog } from '#libs/catalog';
import type { EnrichedVisit, Visit } from '#libs/contracts';
import type { ProjectSettings } from './project-settings.repository.js';
import { referralOf } from './referral.js';
import { RobotsService } from './robots.service.js';

/** Properties of a visit that are derived after identification. */
export type Insights = Pick<EnrichedVisit, 'robots' | 'referral' | 'automation'>;

export interface InsightsRequest {
  projectId: string;
  project: ProjectSettings;
  /** Null for an unknown visitor. */
  agentId: string | null;
  /** The visit as received, or the part of it that was kept. */
  visit: Visit;
  /** Trusted client address. Null if unknown or not kept. */
  clientAddress: string | null;
  /** Time of the visit, in milliseconds since the epoch. */
  at: number;
}

/** Judges visits of agents by robots.txt. For other visits, detects referrals by assistants and signs of automation. */
@Injectable()
export class VisitInsights {
  private readonly automation = new AutomationJudge();

  constructor(
    private readonly catalog: CurrentCatalog,
    private readonly robots: RobotsService,
  ) {}

  /**
   * Judges visits and returns the results in the same order.
   *
   * @throws TransientError if robots.txt versions can't be read.
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
