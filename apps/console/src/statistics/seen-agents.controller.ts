import { Controller, Inject } from '@nestjs/common';
import { listSeenAgents, SEEN_DAYS, type SeenAgents } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { SnapshotReader } from '../reading/snapshot-reader.repository.js';
import { AgentNamesRepository } from './agent-names.repository.js';
import { CountsRepository } from './counts.repository.js';

const DAY_MS = 86_400_000;

/** The catalog, with how often each agent visited the projects that somebody reaches. */
@Controller()
export class SeenAgentsController {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly names: AgentNamesRepository,
    private readonly counts: CountsRepository,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(listSeenAgents)
  async list({ principal }: RequestOf<typeof listSeenAgents>): Promise<SeenAgents> {
    const projects = await this.projects.list(principal.admin ? null : principal.projectIds);
    const ids = projects.map(({ id }) => id);
    const from = (Math.floor(this.now() / DAY_MS) + 1 - SEEN_DAYS) * DAY_MS;
    return this.reading.read(async (query) => {
      const counts = await this.counts.sinceDay(query, ids, from);
      const visits = new Map(counts.map((row) => [row.agent_id, row.visits]));
      const agents = (await this.names.all(query)).map((agent) => ({
        ...agent,
        visits: visits.get(agent.agent_id) ?? 0,
      }));
      return { from: new Date(from).toISOString(), agents: agents.toSorted((one, other) => other.visits - one.visits) };
    });
  }
}
