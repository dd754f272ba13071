import type { QueryClient } from '@tanstack/react-query';
import type { AgentRecord } from '../api/catalog-queries.js';
import { ApiError, client, data } from '../api/client.js';

const CONFLICT_STATUS = 409;

/**
 * Adds an agent to the catalog unless it already contains one with this name.
 *
 * @returns A function that removes the added agent.
 */
export async function addAgent(queryClient: QueryClient, agent: AgentRecord): Promise<() => Promise<void>> {
  try {
    const { id } = await data(client.POST('/api/agents', { body: agent }));
    await queryClient.invalidateQueries({ queryKey: ['catalog'] });
    return async () => {
      await data(client.DELETE('/api/agents/{agent}', { params: { path: { agent: id } } }));
      await queryClient.invalidateQueries({ queryKey: ['catalog'] });
    };
  } catch (error) {
    if (error instanceof ApiError && error.status === CONFLICT_STATUS) return () => Promise.resolve();
    throw error;
  }
}
