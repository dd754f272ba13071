import { Injectable } from '@nestjs/common';
import { COMPLIANCE_DIMENSIONS, MAX_TRIAL_VISITS, type RulesTrial } from '#libs/contracts';
import { AgentRules, type RobotsFile } from '#libs/robots';
import {
  CountsRepository,
  DimensionsRepository,
  NO_AGENT,
  type Slice,
  VisitPathsRepository,
  type Snapshot,
} from '#libs/visit-store';
import { AgentNamesRepository, type AgentNames } from '../statistics/agent-names.repository.js';
import { countSlices, sliceSeries, getSlices } from '../statistics/slices.js';
import { createSeries, type TimeRange } from '../statistics/time-range.js';

/** Approximate number of time slices that visits are sampled from. */
const SLICE_COUNT = 120;
const ROBOTS_TXT = '/robots.txt';

/** Number of visits by agent ID. */
type VisitsByAgent = ReadonlyMap<string, number>;

/** Visits that the rules would have disallowed. Agents without such visits are omitted. */
interface DisallowedVisits extends Pick<RulesTrial, 'named_visits' | 'read_visits' | 'unread_visits' | 'is_estimated'> {
  byAgent: VisitsByAgent;
  nameOf: (id: string) => AgentNames;
}

interface CountRequest {
  projectId: string;
  range: TimeRange;
  /** All visits by the agents that the rules apply to. */
  named: VisitsByAgent;
}

/** Counts the visits that rules would have disallowed. Visits that failed verification are ignored. */
@Injectable()
export class DisallowedVisitsService {
  constructor(
    private readonly counts: CountsRepository,
    private readonly dimensions: DimensionsRepository,
    private readonly names: AgentNamesRepository,
    private readonly paths: VisitPathsRepository,
  ) {}

  /** @param file Contains one group with all agents that the rules apply to, or no group. */
  async count(snapshot: Snapshot, projectId: string, range: TimeRange, file: RobotsFile): Promise<DisallowedVisits> {
    const { named, nameOf } = await this.countNamedVisits(snapshot, projectId, range, file);
    const known = { nameOf, named_visits: sumVisits(named), read_visits: null, unread_visits: 0, is_estimated: false };
    const { rules = [] } = file.groups[0] ?? {};
    if (rules.length === 0 || named.size === 0) return { ...known, byAgent: new Map() };
    const request = { projectId, range, named };
    if (rules.every(({ path }) => path === '/'))
      return { ...known, byAgent: await this.countEveryPath(snapshot, request) };
    return { ...known, ...(await this.estimateByPath(snapshot, request, file)) };
  }

  /** Returns all visits by the agents that the rules apply to, and the names of all agents. */
  private async countNamedVisits(snapshot: Snapshot, projectId: string, range: TimeRange, { byName }: RobotsFile) {
    const visits = new Map<string, number>();
    for (const { agent_id: id, result, visits: counted } of await this.counts.byAgent(snapshot, projectId, range)) {
      if (id !== NO_AGENT && result !== 'verification_failed') visits.set(id, (visits.get(id) ?? 0) + counted);
    }
    const nameOf = await this.names.find(snapshot, projectId, [...visits.keys()]);
    const isNamed = (id: string): boolean => byName.has(nameOf(id).robots_token?.toLowerCase() ?? '');
    return { named: new Map([...visits].filter(([id]) => isNamed(id))), nameOf };
  }

  /** Counts all visits except robots.txt requests, which are always allowed. */
  private async countEveryPath(snapshot: Snapshot, { projectId, range, named }: CountRequest): Promise<VisitsByAgent> {
    const fetches = await this.dimensions.sums(snapshot, projectId, range, COMPLIANCE_DIMENSIONS.robotsFetches);
    const visits = new Map(named);
    for (const { value: id, visits: fetched } of fetches) {
      if (visits.has(id)) visits.set(id, visits.get(id)! - fetched);
    }
    return dropZeros(visits);
  }

  /** Estimates each agent's disallowed visits from the share of disallowed visits in a sample. */
  private async estimateByPath(snapshot: Snapshot, request: CountRequest, { groups }: RobotsFile) {
    const { projectId, named } = request;
    const slices = await this.selectSlices(snapshot, request);
    const rules = new AgentRules(groups.map((group) => ({ userAgent: group.userAgents[0]!, rules: group.rules })));
    const verdictsByPath = new Map<string, boolean>();
    const isDisallowed = (path: string): boolean => {
      let known = verdictsByPath.get(path);
      if (known === undefined) {
        const isRobotsTxt = path === ROBOTS_TXT || path.startsWith(`${ROBOTS_TXT}?`);
        known = !isRobotsTxt && rules.find(path)?.rule.isAllow === false;
        verdictsByPath.set(path, known);
      }
      return known;
    };
    const seen = await this.paths.findByAgent(snapshot, projectId, slices, [...named.keys()]);
    const sums = seen.map(({ agent_id: id, paths, visits }) => ({
      id,
      read: visits.reduce((sum, one) => sum + one, 0),
      disallowed: paths.reduce((sum, path, index) => sum + (isDisallowed(path) ? visits[index]! : 0), 0),
    }));
    const byAgent = sums.map(({ id, read, disallowed }) => {
      // Scale the result up to all visits, including those no longer stored. Assumes that all of them requested
      // disallowed paths at the same rate.
      return [id, Math.round((named.get(id)! * disallowed) / read)] as const;
    });
    const read = sums.reduce((sum, agent) => sum + agent.read, 0);
    return {
      byAgent: dropZeros(byAgent),
      read_visits: read,
      unread_visits: seen.reduce((sum, { agent_id: id }) => sum - named.get(id)!, sumVisits(named)),
      is_estimated: read < sumVisits(named),
    };
  }

  /**
   * Selects all visits by the given agents if there are few. Otherwise, selects a sample of the visits by all agents,
   * because those are indexed by time.
   */
  private async selectSlices(snapshot: Snapshot, { projectId, range, named }: CountRequest): Promise<Slice[]> {
    if (!this.paths.readsSamples || sumVisits(named) <= MAX_TRIAL_VISITS)
      return [{ ...range, item: 0, counted: sumVisits(named), max: null }];
    const series = createSeries(range, 'UTC');
    const sliced = sliceSeries(series, SLICE_COUNT);
    const counts = await this.counts.agentVisitsInSeries(snapshot, projectId, sliced);
    const total = counts.reduce((sum, { visits }) => sum + visits, 0);
    return countSlices(getSlices(sliced, series), counts, MAX_TRIAL_VISITS / total);
  }
}

const sumVisits = (visits: VisitsByAgent): number => [...visits.values()].reduce((sum, one) => sum + one, 0);

const dropZeros = (visits: Iterable<readonly [string, number]>): VisitsByAgent =>
  new Map([...visits].filter(([, count]) => count > 0));
