import { agentId } from './catalog.js';

/** The agent that an instance signs test visits as. */
export const TEST_AGENT = {
  token: 'Agent Traffic Test Agent',
  userAgent: 'Mozilla/5.0 (compatible; Agent Traffic Test Agent/1.0)',
} as const;
export const TEST_AGENT_ID = agentId(TEST_AGENT.token);

/** Stands for the instance where it has no https address: reserved by RFC 2606, so that it is nobody's. */
const RESERVED_ORIGIN = 'https://test-agent.agent-traffic.invalid';

/** What the test agent sends as its Signature-Agent: the instance's own address if that is https. */
export function testAgentOrigin(publicUrl: string): string {
  const url = URL.parse(publicUrl);
  return url?.protocol === 'https:' ? url.origin : RESERVED_ORIGIN;
}
