/** What instances are made larger by. */
import { createHash } from 'node:crypto';

/** An instance, as far as it is made larger here. */
interface Growing {
  /** Access tokens of all projects. */
  tokens: string[];
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
  /** Makes the load anew, after a change of what it is made for. */
  learn(): Promise<void>;
}

/** An agent that is proven by its addresses. */
export const RANGED_AGENT = { token: 'GrowthBot', userAgent: 'Mozilla/5.0 (compatible; GrowthBot/1.0)' };

/** Different blocks, half of them IPv6. */
export const ranges = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const [high, middle, low] = [index >> 16, (index >> 8) & 255, index & 255];
    return index % 2 === 0 ? `${20 + high}.${middle}.${low}.0/24` : `2600:${(index >> 1).toString(16)}::/32`;
  });

/** Gives {@link RANGED_AGENT} these blocks, and others to come from. */
export async function setRanges(instance: Growing, count: number): Promise<void> {
  await instance.post('/api/agents/import', [
    { ...agent(RANGED_AGENT.token), verification: { ip_ranges: ranges(count) } },
  ]);
  await instance.learn();
}

/** @param count of all agents, bundled ones among them. */
export async function addAgents(instance: Growing, count: number): Promise<void> {
  const known = await instance.get<unknown[]>('/api/agents/export?origin=all');
  const added = Array.from({ length: count - known.length }, (_, index) =>
    agent(`Bot${createHash('sha256').update(String(index)).digest('hex').slice(0, 10)}`),
  );
  await instance.post('/api/agents/import', added);
  await instance.learn();
}

/** @param count of all projects. The others have no visits yet. */
export async function addProjects(instance: Growing, count: number): Promise<void> {
  for (let number = 2; number <= count; number += 1) {
    const { id } = await instance.post<{ id: string }>('/api/projects', { name: `Project ${number}` });
    const { token } = await instance.post<{ token: string }>(`/api/projects/${id}/tokens`, { name: 'site' });
    instance.tokens.push(token);
  }
  await instance.learn();
}

const agent = (token: string) => ({
  token,
  type: 'Scraper',
  operator: null,
  url: null,
  user_agent_patterns: [token],
  sample_user_agents: [`Mozilla/5.0 (compatible; ${token}/1.0)`],
  robots_token: token,
  verification: {},
});
