import { Injectable } from '@nestjs/common';
import { AutomationJudge } from '#libs/agents';
import { CurrentCatalog, isDataCenterAddress } from '#libs/catalog';
import type { EnrichedVisit, Visit } from '#libs/contracts';
import type { ProjectSettings } from './project-settings.repository.js';
import { findReferral } from './referral.js';
import { RobotsService } from './robots.service.js';

/** Visit properties derived after identification. */
export type Insights = Pick<EnrichedVisit, 'robots' | 'referral' | 'automation'>;

export interface InsightsRequest {
  projectId: string;
  project: ProjectSettings;
  /** ID of the identified agent, or null for an unknown visitor. */
  agentId: string | null;
  /** The visit as received, or the stored part of it. */
  visit: Visit;
  /** Trusted client address, or null if it is unknown or wasn't stored. */
  clientAddress: string | null;
  /** Time of the visit, in milliseconds since the epoch. */
  at: number;
}

/**
 * Judges visits by agents against robots.txt. For other visits, detects referrals from AI assistants and signs of
 * automation.
 */
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
   * @param maxParsedLength See {@link RobotsService.judgeAll}.
   * @throws {TransientError} if robots.txt versions can't be loaded.
   */
  async judgeAll(requests: readonly InsightsRequest[], maxParsedLength?: number): Promise<Insights[]> {
    const judgments = await this.robots.judgeAll(requests.filter(isAgentRequest), maxParsedLength);
    let judgmentIndex = 0;
    return requests.map((request) =>
      isAgentRequest(request) ? { robots: judgments[judgmentIndex++]! } : this.judgeUnknownVisitor(request),
    );
  }

  private judgeUnknownVisitor({ visit, clientAddress, project, at }: InsightsRequest): Insights {
    const { request_headers: headers, request_path: path } = visit;
    const isInDataCenter = isDataCenterAddress(this.catalog.current, clientAddress);
    const automation = this.automation.judge({ headers, path, at, isInDataCenter });
    const referral = findReferral(visit, this.catalog.current.referrals, project.hostNames);
    return referral === null ? { automation } : { automation, referral };
  }
}

const isAgentRequest = (request: InsightsRequest): request is InsightsRequest & { agentId: string } =>
  request.agentId !== null;
