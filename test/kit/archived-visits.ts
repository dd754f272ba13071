import { createBatchId, createVisitId } from '#libs/contracts';
import type { ArchivedVisit, ExpiredPartition } from '#libs/visit-store';

export const DAY = '2026-11-21';
const TIME = Date.parse(`${DAY}T08:30:00Z`);
export const SHOP = '019a0000-0000-7000-8000-000000000001';
export const BLOG = '019a0000-0000-7000-8000-000000000002';

const batch = createBatchId(TIME);
/** @param index Number that determines the visit's ID and time. */
export const archivedVisit = (index: number, projectId = SHOP, path = `/${index}`): ArchivedVisit => {
  const id = createVisitId(batch, index);
  const document = {
    id,
    visit: { request_path: path, request_method: 'GET', request_headers: { Host: 'shop.example' } },
    identification: { agent_token: 'GPTBot' },
  };
  return {
    id,
    project_id: projectId,
    occurred_at: TIME + Math.floor(index / 2),
    position: String(2n ** 62n + BigInt(index)),
    client_address: index % 2 ? '192.0.2.7' : null,
    path,
    status: 404.5,
    response_bytes: 4096,
    response_us: 12_500,
    response_flags: null,
    mcp_tool: null,
    decisions: null,
    kinds: 1,
    agent_id: '3c00155e-c06b-5ee8-a7c8-57e6328803d2',
    agent_type: 'AI Data Scraper',
    operator: '\ufeffOpenAI',
    result: 'verified',
    robots: 2,
    automation: null,
    assistant: null,
    user_agent_group: null,
    document: JSON.stringify(document),
  };
};

/** @param digest Digest for every project. */
export function expiredPartition(digest: string, ...visits: ArchivedVisit[]): ExpiredPartition {
  const byProject = Map.groupBy(visits, ({ project_id }) => project_id);
  const projects = [...byProject].map(([projectId, { length }]) => ({ projectId, visits: length, digest }));
  return {
    day: DAY,
    visitors: 'agents',
    projects,
    checkLock: async () => {},
    read: async function* (projectId) {
      const rows = byProject.get(projectId)!;
      for (let start = 0; start < rows.length; start += 3) yield rows.slice(start, start + 3);
    },
  };
}
