import { agentId } from './catalog.js';

/** Agent that signs the test visits of an instance. */
export const TEST_AGENT = {
  token: 'Agent Traffic Test Agent',
  userAgent: 'Mozilla/5.0 (compatible; Agent Traffic Test Agent/1.0)',
} as const;
export const TEST_AGENT_ID = agentId(TEST_AGENT.token);

/** Used by instances without an https address. RFC 2606 reserves `.invalid`, so nobody else can own it. */
const RESERVED_ORIGIN = 'https://test-agent.agent-traffic.invalid';

/** Returns the Signature-Agent of the test agent: the instance's origin if it is https. */
export function testAgentOrigin(publicUrl: string): string {
  const url = URL.parse(publicUrl);
  return url?.protocol === 'https:' ? url.origin : RESERVED_ORIGIN;
}
