import type { AgentPage, AgentListItem } from '#libs/contracts';
import type { InstanceClient } from '../client.js';
import type { QueryParams } from '../operation-types.js';

const PAGE_SIZE = 200;

export type AgentFilters = Omit<QueryParams<'get', '/api/agents'>, 'limit' | 'cursor'>;

interface AgentListing {
  agents: AgentListItem[];
  hasMore: boolean;
  catalogVersion: string;
}

export async function listAgents(client: InstanceClient, filters: AgentFilters, limit: number): Promise<AgentListing> {
  const agents: AgentListItem[] = [];
  let page: AgentPage | undefined;
  do {
    const cursor = page?.next_cursor ?? undefined;
    const query = { ...filters, limit: Math.min(limit - agents.length, PAGE_SIZE), cursor };
    page = await client.get('/api/agents', { params: { query } });
    agents.push(...page.agents);
  } while (agents.length < limit && page.next_cursor !== null);
  return { agents, hasMore: page.next_cursor !== null, catalogVersion: page.catalog_version };
}
