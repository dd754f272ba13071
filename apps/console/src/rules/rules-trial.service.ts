import { Inject, Injectable } from '@nestjs/common';
import { RulesApi } from '#libs/catalog';
import {
  COMPLIANCE_DIMENSIONS,
  parseDimension,
  isUserTriggered,
  MAX_TRIAL_AGENTS,
  RULES_TRIAL_DAYS,
  type RulesTrial,
  type RulesTrialRequest,
} from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { parseRobotsFile } from '#libs/robots';
import { DimensionsRepository, type Snapshot } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { resolveRange, type TimeRange } from '../statistics/time-range.js';
import { DisallowedVisitsService } from './disallowed-visits.service.js';

const DAY_MS = 86_400_000;
/** Verdicts, in addition to `disallowed`, that require a known robots.txt. */
const OTHER_VERDICTS = ['allowed', 'no_rules'];

@Injectable()
export class RulesTrialService {
  constructor(
    private readonly rules: RulesApi,
    private readonly reading: SnapshotReader,
    private readonly disallowed: DisallowedVisitsService,
    private readonly dimensions: DimensionsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /**
   * Counts the visits by each agent that the rules would have disallowed. Also counts which of these agents disregard
   * robots.txt.
   */
  async run(projectId: string, request: RulesTrialRequest): Promise<RulesTrial> {
    // This format lists all agents in one group, so they share the same rules.
    const { content } = await this.rules.robotsTxt({ ...request, format: 'grouped' });
    const file = parseRobotsFile(content, Infinity);
    const now = this.now();
    const range = resolveRange({ from: now - RULES_TRIAL_DAYS * DAY_MS, to: now }, now);
    return this.reading.read(async (snapshot) => {
      const { byAgent, nameOf, ...counted } = await this.disallowed.count(snapshot, projectId, range, file);
      const { disregarded, isJudged: hasVerdicts } = await this.countDisregarded(snapshot, projectId, range);
      const agents = [...byAgent].map(([id, visits]) => {
        const { agent_token, agent_type_name, operator_name } = nameOf(id);
        return {
          agent_id: id,
          agent_token,
          agent_type_name,
          operator_name,
          is_user_triggered: isUserTriggered(agent_type_name),
          visits,
          disregarded: disregarded.get(id) ?? 0,
        };
      });
      return {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        ...counted,
        visits: agents.reduce((sum, { visits }) => sum + visits, 0),
        agents: agents.length,
        disregarding_agents: hasVerdicts ? agents.filter(isDisregarding).length : null,
        user_triggered_agents: agents.filter((agent) => agent.is_user_triggered).length,
        top_agents: agents.toSorted((one, other) => other.visits - one.visits).slice(0, MAX_TRIAL_AGENTS),
      };
    });
  }

  /**
   * Counts each agent's visits that violated the robots.txt active at the time. The counts match those on the
   * Compliance page, but come from a dimension with far fewer rows.
   */
  private async countDisregarded(snapshot: Snapshot, projectId: string, range: TimeRange) {
    const { lines, judged } = COMPLIANCE_DIMENSIONS;
    const disregarded = new Map<string, number>();
    for (const { value, visits } of await this.dimensions.sums(snapshot, projectId, range, lines)) {
      if (value === '') continue;
      const [agent] = parseDimension(value) as [string];
      disregarded.set(agent, (disregarded.get(agent) ?? 0) + visits);
    }
    const hasVerdicts =
      disregarded.size > 0 || (await this.dimensions.hasSecondPart(snapshot, projectId, range, judged, OTHER_VERDICTS));
    return { disregarded, isJudged: hasVerdicts };
  }
}

/**
 * Returns whether an agent disregards robots.txt. Excludes agents that fetch on behalf of people, because their
 * operators state that robots.txt doesn't apply to them.
 */
const isDisregarding = (agent: RulesTrial['top_agents'][number]): boolean =>
  agent.disregarded > 0 && !agent.is_user_triggered;
