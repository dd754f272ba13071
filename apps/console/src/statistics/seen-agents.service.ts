import { Inject, Injectable } from '@nestjs/common';
import { SEEN_DAYS, type SeenAgents } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { CountsRepository } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import type { StoredProject } from '../projects/projects.repository.js';
import { AgentNamesRepository } from './agent-names.repository.js';
import { startOfDays } from './time-range.js';

/** Lists all catalog agents, sorted by their number of visits in the last {@link SEEN_DAYS} days. */
@Injectable()
export class SeenAgentsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly names: AgentNamesRepository,
    private readonly counts: CountsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  list(projects: readonly Pick<StoredProject, 'id' | 'time_zone'>[]): Promise<SeenAgents> {
    const now = this.now();
    const starts = new Map(projects.map(({ id, time_zone: zone }) => [id, startOfDays(now, SEEN_DAYS, zone)]));
    const from = starts.size === 0 ? startOfDays(now, SEEN_DAYS, 'UTC') : Math.min(...starts.values());
    return this.reading.read(async (snapshot) => {
      const counts = await this.counts.byAgentSince(snapshot, starts);
      const countsByAgent = Map.groupBy(counts, (row) => row.agent_id);
      const agents = (await this.names.list()).map((agent) => {
        const projects = (countsByAgent.get(agent.agent_id) ?? []).map(({ project_id, visits }) => ({
          project_id,
          visits,
        }));
        return { ...agent, visits: projects.reduce((sum, { visits }) => sum + visits, 0), projects };
      });
      return { from: new Date(from).toISOString(), agents: agents.toSorted((one, other) => other.visits - one.visits) };
    });
  }
}
