import type { AgentPage, AgentListItem } from '../catalog-interface.js';
import type { InstanceClient, Query } from '../client.js';

/** Agents in one request. */
const PAGE = 200;

export interface AgentListing {
  agents: AgentListItem[];
  /** Whether there are more than were asked for. */
  hasMore: boolean;
  catalogVersion: string;
}

/** The first `limit` agents that fit the filters, page by page. */
export async function listAgents(client: InstanceClient, filters: Query, limit: number): Promise<AgentListing> {
  const agents: AgentListItem[] = [];
  let page: AgentPage | undefined;
  do {
    const cursor = page?.next_cursor ?? undefined;
    page = await client.get<AgentPage>('/api/agents', {
      ...filters,
      limit: Math.min(limit - agents.length, PAGE),
      cursor,
    });
    agents.push(...page.agents);
  } while (agents.length < limit && page.next_cursor !== null);
  return { agents, hasMore: page.next_cursor !== null, catalogVersion: page.catalog_version };
}

export const agentPath = (name: string): string => `/api/agents/${encodeURIComponent(name)}`;
