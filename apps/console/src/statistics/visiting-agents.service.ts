import { Injectable } from '@nestjs/common';
import {
  listVisitingAgents,
  visitingAgentCursor,
  type QueryOf,
  type VisitingAgentCursor,
  type VisitingAgents,
} from '#libs/contracts';
import { unfitQuery } from '#libs/platform';
import { CountsRepository } from '#libs/visit-store';
import { AgentNamesRepository, type AgentNames } from './agent-names.repository.js';
import { describeComparison } from './overview.service.js';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { visitsByAgent, type AgentVisits } from './visit-counts.js';
import type { ComparedSeries } from './time-range.js';

type Visiting = AgentVisits & AgentNames;
type AgentsQuery = QueryOf<typeof listVisitingAgents>;
type AgentSort = AgentsQuery['sort'];

/** Sort orders with text keys. */
const BY_NAME: ReadonlySet<AgentSort> = new Set(['token', 'type', 'operator']);

/** Lists the agents that visited. Sorts them in memory, because the catalog limits their number. */
@Injectable()
export class VisitingAgentsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  /** @throws ProblemError 422 if the cursor's key doesn't fit the sort order. */
  async list(projectId: string, asked: AgentsQuery, compared: ComparedSeries): Promise<VisitingAgents> {
    if (asked.cursor !== null && (typeof asked.cursor.key === 'string') !== BY_NAME.has(asked.sort)) {
      throw unfitQuery([{ pointer: '/cursor', detail: listVisitingAgents.query.cursor.fault }]);
    }
    const compare = comparison(asked.direction ?? (BY_NAME.has(asked.sort) ? 'ascending' : 'descending'));
    const { current: series, previous: previousSeries } = compared;
    return this.reading.read(async (snapshot) => {
      const visiting = visitsByAgent(await this.counts.byAgent(snapshot, projectId, series));
      const nameOf = await this.names.find(
        snapshot,
        projectId,
        visiting.map(({ agentId }) => agentId),
      );
      const agents = visiting
        .map((agent): Visiting => {
          const names = nameOf(agent.agentId);
          return { ...agent, ...names, agent_type_name: names.agent_type_name ?? agent.type };
        })
        .filter((agent) => isWanted(agent, asked))
        .toSorted((one, other) => compare(cursorOf(one, asked.sort), cursorOf(other, asked.sort)));
      const { cursor: after, sort, limit } = asked;
      const rest = after === null ? agents : agents.filter((agent) => compare(after, cursorOf(agent, sort)) < 0);
      const page = rest.slice(0, limit);
      const ids = page.map(({ agentId }) => agentId);
      const previous = await this.previousVisits(await this.counts.byAgent(snapshot, projectId, previousSeries));
      const visits = new Map(ids.map((id) => [id, series.starts.map(() => 0)]));
      for (const count of await this.counts.agentSeries(snapshot, projectId, series, ids)) {
        visits.get(count.agent_id)![count.item]! += count.visits;
      }
      return {
        ...describeComparison(compared),
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

function cursorOf(agent: Visiting, sort: AgentSort): VisitingAgentCursor {
  const key = {
    visits: agent.visits,
    last_seen: agent.lastSeenAt.getTime(),
    // In millionths, because cursors contain integers. Agents that can't be verified sort below a share of 0.
    verified: Math.round(1e6 * (1 + (verifiedShare(agent) ?? -1))),
    spoofed: agent.verification_failed,
    token: (agent.agent_token ?? '').toLowerCase(),
    type: agent.agent_type_name ?? '',
    operator: (agent.operator_name ?? '').toLowerCase(),
  }[sort];
  return { key, agentId: agent.agentId };
}

const verifiedShare = ({ verified, visits, is_verifiable: isVerifiable }: Visiting): number | null =>
  verified === 0 && !isVerifiable ? null : verified / visits;

/** Returns a comparator for cursors. Ties are ordered by agent ID. */
const comparison =
  (direction: 'ascending' | 'descending') =>
  (one: VisitingAgentCursor, other: VisitingAgentCursor): number => {
    if (one.key !== other.key) return one.key < other.key === (direction === 'ascending') ? -1 : 1;
    return one.agentId < other.agentId ? -1 : Number(one.agentId > other.agentId);
  };
