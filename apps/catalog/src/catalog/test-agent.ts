import { listedDirectoryUrl } from '#libs/agents';
import { TEST_AGENT, testAgentOrigin, type AgentRecord } from '#libs/catalog';

/** Returns the instance's test agent and the URL of its key directory, which is never fetched. */
export function testAgent(publicUrl: string): { record: AgentRecord; directoryUrl: string } {
  const origin = testAgentOrigin(publicUrl);
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
  return { record, directoryUrl: listedDirectoryUrl(origin)! };
}
