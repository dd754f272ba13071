import { Inject, Injectable } from '@nestjs/common';
import {
  getSiteHosts,
  isUserTriggered,
  MAX_CONDUCT_AGENTS,
  MAX_CONDUCT_VISITS,
  type Conduct,
  type ConductAgent,
} from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { ANY_AGENT } from '#libs/robots';
import {
  ConductRepository,
  CountsRepository,
  MAX_ROBOTS_REQUESTS,
  NO_AGENT,
  type Snapshot,
  type TimeRange,
} from '#libs/visit-store';
import type { StoredProject } from '../projects/projects.repository.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentNamesRepository } from '../statistics/agent-names.repository.js';
import { DAY_MS, describeDays } from './agent-days.js';
import { RobotsDelaysRepository } from './robots-delays.repository.js';
import { CACHE_MS, REQUESTS_BEFORE_MS, RobotsFetches } from './robots-fetches.js';
import { limitPerDay } from './visits-per-day.js';

/** Number of visits by start of the day. */
interface AgentCounts {
  visits: Map<number, number>;
  spoofed: Map<number, number>;
}

@Injectable()
export class ConductService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly conduct: ConductRepository,
    private readonly counts: CountsRepository,
    private readonly names: AgentNamesRepository,
    private readonly delays: RobotsDelaysRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /**
   * @param range Range of UTC days.
   * @param agentIds IDs of the agents. If null, selects those with the most visits.
   */
  report(project: StoredProject, range: TimeRange, agentIds: readonly string[] | null): Promise<Conduct> {
    const { id: projectId } = project;
    return this.reading.read(async (snapshot) => {
      const countsByAgent = await this.countByDay(snapshot, projectId, range, agentIds);
      const ids = [...countsByAgent.keys()];
      const agents: ConductAgent[] = [];
      if (ids.length > 0) {
        const dayCounts = [...countsByAgent.values()].flatMap(({ visits }) => [...visits.values()]);
        const maxPerDay = limitPerDay(dayCounts, MAX_CONDUCT_VISITS);
        const nameOf = await this.names.find(snapshot, projectId, ids);
        const fetches = await this.readFetches(snapshot, projectId, range);
        const versions = await this.delays.find(projectId, { from: range.from - CACHE_MS, to: range.to });
        for (const [id, { visits, spoofed }] of countsByAgent) {
          const { robots_token: token, verification_methods: methods, agent_type_name, ...names } = nameOf(id);
          const isForUsers = isUserTriggered(agent_type_name);
          const starts = [...visits.keys()].toSorted((one, other) => one - other);
          const read = await this.conduct.agentVisits(snapshot, projectId, id, starts, maxPerDay);
          agents.push({
            agent_id: id,
            agent_token: names.agent_token,
            agent_type_name,
            operator_name: names.operator_name,
            is_user_triggered: isForUsers,
            agent_url: names.agent_url,
            methods,
            days: await describeDays(read, {
              robotsToken: token ?? ANY_AGENT,
              isUserTriggered: isForUsers,
              spoofed,
              maxPerDay,
              versions,
              fetches: fetches.by(id, names.operator_name, read),
              hasSeveralHosts: getSiteHosts(project).length > 1,
              now: this.now(),
            }),
          });
        }
      }
      return { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString(), agents };
    });
  }

  /** Returns the visits of each agent by day, for the agents with the most visits first. */
  private async countByDay(
    snapshot: Snapshot,
    projectId: string,
    range: TimeRange,
    agentIds: readonly string[] | null,
  ): Promise<Map<string, AgentCounts>> {
    const totals = new Map<string, number>();
    for (const { agent_id: id, result, visits } of await this.counts.byAgent(snapshot, projectId, range)) {
      if (id === NO_AGENT || result === 'verification_failed' || agentIds?.includes(id) === false) continue;
      totals.set(id, (totals.get(id) ?? 0) + visits);
    }
    const ids = [...totals]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, MAX_CONDUCT_AGENTS)
      .map(([id]) => id);
    const counts = new Map(ids.map((id): [string, AgentCounts] => [id, { visits: new Map(), spoofed: new Map() }]));
    if (ids.length === 0) return counts;
    const starts = Array.from({ length: (range.to - range.from) / DAY_MS }, (_, day) => range.from + day * DAY_MS);
    const series = { ...range, bucket: '1d', timeZone: 'UTC', starts } as const;
    for (const { agent_id: id, item, result, visits } of await this.counts.agentSeries(
      snapshot,
      projectId,
      series,
      ids,
    )) {
      const days = counts.get(id)![result === 'verification_failed' ? 'spoofed' : 'visits'];
      days.set(starts[item]!, (days.get(starts[item]!) ?? 0) + visits);
    }
    return counts;
  }

  private async readFetches(snapshot: Snapshot, projectId: string, { from, to }: TimeRange): Promise<RobotsFetches> {
    const requests = await this.conduct.robotsRequests(snapshot, projectId, { from: from - REQUESTS_BEFORE_MS, to });
    return new RobotsFetches(requests, requests.length < MAX_ROBOTS_REQUESTS ? 0 : requests[0]!.occurred_at);
  }
}
