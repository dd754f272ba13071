import { Injectable } from '@nestjs/common';
import {
  listVisitingAgents,
  visitingAgentCursor,
  type QueryOf,
  type VisitingAgentCursor,
  type VisitingAgents,
} from '#libs/contracts';
import { invalidQueryError } from '#libs/platform';
import { CountsRepository } from '#libs/visit-store';
import { AgentNamesRepository, type AgentNames } from './agent-names.repository.js';
import { describeComparison } from './overview.service.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { sumByAgent, type AgentVisits } from './visit-counts.js';
import type { ComparedSeries } from './time-range.js';

type VisitingAgentRow = AgentVisits & AgentNames;
type AgentsQuery = QueryOf<typeof listVisitingAgents>;
type AgentSort = AgentsQuery['sort'];

/** Sort orders whose keys are text. */
const TEXT_SORTS: ReadonlySet<AgentSort> = new Set(['token', 'type', 'operator']);

/** Lists visiting agents. They're sorted in memory, because the size of the catalog limits their number. */
@Injectable()
export class VisitingAgentsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  /** @throws {ProblemError} 422 if the cursor's key doesn't match the sort order. */
  async list(projectId: string, query: AgentsQuery, compared: ComparedSeries): Promise<VisitingAgents> {
    if (query.cursor !== null && (typeof query.cursor.key === 'string') !== TEXT_SORTS.has(query.sort)) {
      throw invalidQueryError([{ pointer: '/cursor', detail: listVisitingAgents.query.cursor.fault }]);
    }
    const compare = compareCursors(query.direction ?? (TEXT_SORTS.has(query.sort) ? 'ascending' : 'descending'));
    const { current: series, previous: previousSeries } = compared;
    return this.reading.read(async (snapshot) => {
      const visiting = sumByAgent(await this.counts.byAgent(snapshot, projectId, series));
      const getNames = await this.names.find(
        snapshot,
        projectId,
        visiting.map(({ agentId }) => agentId),
      );
      const agents = visiting
        .map((agent): VisitingAgentRow => {
          const names = getNames(agent.agentId);
          return { ...agent, ...names, agent_type_name: names.agent_type_name ?? agent.type };
        })
        .filter((agent) => matchesQuery(agent, query))
        .toSorted((one, other) => compare(toCursor(one, query.sort), toCursor(other, query.sort)));
      const { cursor: after, sort, limit } = query;
      const remaining = after === null ? agents : agents.filter((agent) => compare(after, toCursor(agent, sort)) < 0);
      const page = remaining.slice(0, limit);
      const ids = page.map(({ agentId }) => agentId);
      const previous = await this.sumVisitsByAgent(await this.counts.byAgent(snapshot, projectId, previousSeries));
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
        next_cursor: remaining.length > limit ? visitingAgentCursor.write(toCursor(page.at(-1)!, sort)) : null,
      };
    });
  }

  private sumVisitsByAgent(counts: Parameters<typeof sumByAgent>[0]): Map<string, number> {
    return new Map(sumByAgent(counts).map(({ agentId, visits }) => [agentId, visits]));
  }
}

function matchesQuery(agent: VisitingAgentRow, { search, type, operator }: AgentsQuery): boolean {
  if (type !== null && !type.some((one) => one === agent.agent_type_name)) return false;
  if (operator !== null && !operator.includes(agent.operator_name ?? '')) return false;
  const part = (search ?? '').toLowerCase();
  return [agent.agent_token, agent.operator_name].some((name) => (name ?? '').toLowerCase().includes(part));
}

function toCursor(agent: VisitingAgentRow, sort: AgentSort): VisitingAgentCursor {
  const key = {
    visits: agent.visits,
    last_seen: agent.lastSeenAt.getTime(),
    // Cursors can only contain integers, so shares are in millionths. Agents that can't be verified have no share and
    // come after those with a share of 0.
    verified: Math.round(1e6 * (1 + (getVerifiedShare(agent) ?? -1))),
    spoofed: agent.verification_failed,
    token: (agent.agent_token ?? '').toLowerCase(),
    type: agent.agent_type_name ?? '',
    operator: (agent.operator_name ?? '').toLowerCase(),
  }[sort];
  return { key, agentId: agent.agentId };
}

const getVerifiedShare = ({ verified, visits, is_verifiable: isVerifiable }: VisitingAgentRow): number | null =>
  verified === 0 && !isVerifiable ? null : verified / visits;

/** Returns a comparator for cursors. Ties are sorted by agent ID. */
const compareCursors =
  (direction: 'ascending' | 'descending') =>
  (one: VisitingAgentCursor, other: VisitingAgentCursor): number => {
    if (one.key !== other.key) return one.key < other.key === (direction === 'ascending') ? -1 : 1;
    return one.agentId < other.agentId ? -1 : Number(one.agentId > other.agentId);
  };
