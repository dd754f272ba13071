import { toListedDirectoryUrl } from '#libs/agents';
import { TEST_AGENT, getTestAgentOrigin, type AgentRecord } from '#libs/catalog';

/** Returns the instance's test agent. Its key directory is never fetched, because the keys come from the database. */
export function createTestAgent(publicUrl: string): { record: AgentRecord; directoryUrl: string } {
  const origin = getTestAgentOrigin(publicUrl);
  const record: AgentRecord = {
    token: TEST_AGENT.token,
    type: 'Developer Helper',
    operator: 'Agent Traffic',
    url: null,
    user_agent_patterns: [TEST_AGENT.token],
    sample_user_agents: [TEST_AGENT.userAgent],
    robots_token: null,
    verification: { signature_agents: [origin] },
  };
  return { record, directoryUrl: toListedDirectoryUrl(origin)! };
}
