import { Injectable } from '@nestjs/common';
import { COMPLIANCE_DIMENSIONS, MAX_TRIED_VISITS, type RulesTrial } from '#libs/contracts';
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
import { countedSlices, slicedSeries, slicesOf } from '../statistics/slices.js';
import { seriesOf, type TimeRange } from '../statistics/time-range.js';

/** Approximate number of slices of the time range from which visits are sampled. */
const SLICES = 120;
const ROBOTS_TXT = '/robots.txt';

/** Number of visits by agent ID. */
type ByAgent = ReadonlyMap<string, number>;

/** Visits that the rules would have disallowed. Agents without any are left out. */
interface DisallowedVisits extends Pick<RulesTrial, 'named_visits' | 'read_visits' | 'unread_visits' | 'is_estimated'> {
  byAgent: ByAgent;
  nameOf: (id: string) => AgentNames;
}

interface Asked {
  projectId: string;
  range: TimeRange;
  /** All visits of the agents that the rules apply to. */
  named: ByAgent;
}

/** Counts the visits that rules would have disallowed. Ignores visits that failed verification. */
@Injectable()
export class DisallowedVisitsService {
  constructor(
    private readonly counts: CountsRepository,
    private readonly dimensions: DimensionsRepository,
    private readonly names: AgentNamesRepository,
    private readonly paths: VisitPathsRepository,
  ) {}

  /** @param file Contains one group for all agents that the rules apply to, or none. */
  async count(snapshot: Snapshot, projectId: string, range: TimeRange, file: RobotsFile): Promise<DisallowedVisits> {
    const { named, nameOf } = await this.named(snapshot, projectId, range, file);
    const known = { nameOf, named_visits: sumOf(named), read_visits: null, unread_visits: 0, is_estimated: false };
    const { rules = [] } = file.groups[0] ?? {};
    if (rules.length === 0 || named.size === 0) return { ...known, byAgent: new Map() };
    const asked = { projectId, range, named };
    if (rules.every(({ path }) => path === '/')) return { ...known, byAgent: await this.ofEveryPath(snapshot, asked) };
    return { ...known, ...(await this.ofPaths(snapshot, asked, file)) };
  }

  /** Returns all visits of the agents that the rules apply to, and the names of all agents. */
  private async named(snapshot: Snapshot, projectId: string, range: TimeRange, { byName }: RobotsFile) {
    const visits = new Map<string, number>();
    for (const { agent_id: id, result, visits: counted } of await this.counts.byAgent(snapshot, projectId, range)) {
      if (id !== NO_AGENT && result !== 'verification_failed') visits.set(id, (visits.get(id) ?? 0) + counted);
    }
    const nameOf = await this.names.find(snapshot, projectId, [...visits.keys()]);
    const isNamed = (id: string): boolean => byName.has(nameOf(id).robots_token?.toLowerCase() ?? '');
    return { named: new Map([...visits].filter(([id]) => isNamed(id))), nameOf };
  }

  /** Counts all visits except requests for robots.txt, which is always allowed. */
  private async ofEveryPath(snapshot: Snapshot, { projectId, range, named }: Asked): Promise<ByAgent> {
    const fetches = await this.dimensions.sums(snapshot, projectId, range, COMPLIANCE_DIMENSIONS.robotsFetches);
    const visits = new Map(named);
    for (const { value: id, visits: fetched } of fetches) {
      if (visits.has(id)) visits.set(id, visits.get(id)! - fetched);
    }
    return withoutNone(visits);
  }

  /** Estimates the disallowed visits of each agent from the share of disallowed visits in a sample. */
  private async ofPaths(snapshot: Snapshot, asked: Asked, { groups }: RobotsFile) {
    const { projectId, named } = asked;
    const slices = await this.slicesToRead(snapshot, asked);
    const rules = new AgentRules(groups.map((group) => ({ userAgent: group.userAgents[0]!, rules: group.rules })));
    const judged = new Map<string, boolean>();
    const isDisallowed = (path: string): boolean => {
      let known = judged.get(path);
      if (known === undefined) {
        const isRobotsTxt = path === ROBOTS_TXT || path.startsWith(`${ROBOTS_TXT}?`);
        known = !isRobotsTxt && rules.find(path)?.rule.isAllow === false;
        judged.set(path, known);
      }
      return known;
    };
    const seen = await this.paths.find(snapshot, projectId, slices, [...named.keys()]);
    const byAgent = seen.map(({ agent_id: id, paths }) => {
      // Assumes that visits no longer stored are like the stored ones.
      return [id, Math.round((named.get(id)! * paths.filter(isDisallowed).length) / paths.length)] as const;
    });
    const read = seen.reduce((sum, { paths }) => sum + paths.length, 0);
    return {
      byAgent: withoutNone(byAgent),
      read_visits: read,
      unread_visits: seen.reduce((sum, { agent_id: id }) => sum - named.get(id)!, sumOf(named)),
      is_estimated: read < sumOf(named),
    };
  }

  /**
   * Selects all visits of the agents if there are few. Otherwise selects a sample of the visits of all agents, because
   * an index sorts those by time.
   */
  private async slicesToRead(snapshot: Snapshot, { projectId, range, named }: Asked): Promise<Slice[]> {
    if (sumOf(named) <= MAX_TRIED_VISITS) return [{ ...range, item: 0, counted: sumOf(named), max: null }];
    const series = seriesOf(range, 'UTC');
    const sliced = slicedSeries(series, SLICES);
    const counts = await this.counts.ofAgents(snapshot, projectId, sliced);
    const total = counts.reduce((sum, { visits }) => sum + visits, 0);
    return countedSlices(slicesOf(sliced, series), counts, MAX_TRIED_VISITS / total);
  }
}

const sumOf = (visits: ByAgent): number => [...visits.values()].reduce((sum, one) => sum + one, 0);

const withoutNone = (visits: Iterable<readonly [string, number]>): ByAgent =>
  new Map([...visits].filter(([, count]) => count > 0));
