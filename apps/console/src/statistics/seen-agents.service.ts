import { Inject, Injectable } from '@nestjs/common';
import { SEEN_DAYS, type SeenAgents } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { CountsRepository } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentNamesRepository } from './agent-names.repository.js';

const DAY_MS = 86_400_000;

/** Lists all catalog agents, sorted by their number of visits in the last {@link SEEN_DAYS} days. */
@Injectable()
export class SeenAgentsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly names: AgentNamesRepository,
    private readonly counts: CountsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  list(projectIds: readonly string[]): Promise<SeenAgents> {
    const from = (Math.floor(this.now() / DAY_MS) + 1 - SEEN_DAYS) * DAY_MS;
    return this.reading.read(async (snapshot) => {
      const counts = await this.counts.byAgentSinceDay(snapshot, projectIds, from);
      const visits = new Map(counts.map((row) => [row.agent_id, row.visits]));
      const agents = (await this.names.list()).map((agent) => ({
        ...agent,
        visits: visits.get(agent.agent_id) ?? 0,
      }));
      return { from: new Date(from).toISOString(), agents: agents.toSorted((one, other) => other.visits - one.visits) };
    });
  }
}
