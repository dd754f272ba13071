import { Injectable } from '@nestjs/common';
import {
  listVisitingAgents,
  visitingAgentCursor,
  type QueryOf,
  type VisitingAgentCursor,
  type VisitingAgents,
} from '#libs/contracts';
import { unfitQuery } from '#libs/platform';
import { AgentNamesRepository, type AgentNames } from './agent-names.repository.js';
import { CountsRepository } from './counts.repository.js';
import { describeRange } from './overview.service.js';
import { SnapshotReader } from '../reading/snapshot-reader.repository.js';
import { visitsByAgent, type AgentVisits } from './visit-counts.js';
import { before, type Series } from './time-range.js';

type Visiting = AgentVisits & AgentNames;
type AgentsQuery = QueryOf<typeof listVisitingAgents>;
type AgentSort = AgentsQuery['sort'];

/** Lists the agents that visited. They are never more than the catalog has, so they are sorted here. */
@Injectable()
export class VisitingAgentsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  /** @throws ProblemError 422 for a cursor of another order. */
  async list(projectId: string, asked: AgentsQuery, series: Series): Promise<VisitingAgents> {
    if (asked.cursor !== null && (typeof asked.cursor.key === 'string') !== (asked.sort === 'token')) {
      throw unfitQuery([{ pointer: '/cursor', detail: listVisitingAgents.query.cursor.fault }]);
    }
    return this.reading.read(async (query) => {
      const visiting = visitsByAgent(await this.counts.byAgent(query, projectId, series));
      const nameOf = await this.names.find(
        query,
        projectId,
        visiting.map(({ agentId }) => agentId),
      );
      const agents = visiting
        .map((agent): Visiting => {
          const names = nameOf(agent.agentId);
          return { ...agent, ...names, agent_type_name: names.agent_type_name ?? agent.type };
        })
        .filter((agent) => isWanted(agent, asked))
        .toSorted((one, other) => compare(asked.sort, cursorOf(one, asked.sort), cursorOf(other, asked.sort)));
      const { cursor: after, sort, limit } = asked;
      const rest = after === null ? agents : agents.filter((agent) => compare(sort, after, cursorOf(agent, sort)) < 0);
      const page = rest.slice(0, limit);
      const ids = page.map(({ agentId }) => agentId);
      const previous = await this.previousVisits(await this.counts.byAgent(query, projectId, before(series)));
      const visits = new Map(ids.map((id) => [id, series.starts.map(() => 0)]));
      for (const count of await this.counts.agentSeries(query, projectId, series, ids)) {
        visits.get(count.agent_id)![count.item]! += count.visits;
      }
      return {
        ...describeRange(series),
        agents: page.map((agent) => ({
          agent_id: agent.agentId,
          agent_token: agent.agent_token,
          agent_type_name: agent.agent_type_name,
          operator_name: agent.operator_name,
          agent_url: agent.agent_url,
          is_verifiable: agent.is_verifiable,
          visits: agent.visits,
          previous_visits: previous.get(agent.agentId) ?? 0,
          verified: agent.verified,
          verification_failed: agent.verification_failed,
          last_seen_at: agent.lastSeenAt.toISOString(),
          series: visits.get(agent.agentId)!,
        })),
        next_cursor: rest.length > limit ? visitingAgentCursor.write(cursorOf(page.at(-1)!, sort)) : null,
      };
    });
  }

  private previousVisits(counts: Parameters<typeof visitsByAgent>[0]): Map<string, number> {
    return new Map(visitsByAgent(counts).map(({ agentId, visits }) => [agentId, visits]));
  }
}

function isWanted(agent: Visiting, { search, type, operator }: AgentsQuery): boolean {
  if (type !== null && !type.some((one) => one === agent.agent_type_name)) return false;
  if (operator !== null && !operator.includes(agent.operator_name ?? '')) return false;
  const part = (search ?? '').toLowerCase();
  return [agent.agent_token, agent.operator_name].some((name) => (name ?? '').toLowerCase().includes(part));
}

function cursorOf({ agentId, visits, lastSeenAt, agent_token: token }: Visiting, sort: AgentSort): VisitingAgentCursor {
  const key = { visits, last_seen: lastSeenAt.getTime(), token: (token ?? '').toLowerCase() }[sort];
  return { key, agentId };
}

/** Orders by most visits, by newest visit, or by token alphabetically. Negative when `one` sorts first. */
function compare(sort: AgentSort, one: VisitingAgentCursor, other: VisitingAgentCursor): number {
  if (one.key !== other.key) return one.key < other.key === (sort === 'token') ? -1 : 1;
  return one.agentId < other.agentId ? -1 : Number(one.agentId > other.agentId);
}
