import { agentId } from './catalog.js';

/** Agent that signs an instance's test visits. */
export const TEST_AGENT = {
  token: 'Agent Traffic Test Agent',
  userAgent: 'Mozilla/5.0 (compatible; Agent Traffic Test Agent/1.0)',
} as const;
export const TEST_AGENT_ID = agentId(TEST_AGENT.token);

/** Used by instances without an https URL. RFC 2606 reserves `.invalid`, so nobody else can own the domain. */
const RESERVED_ORIGIN = 'https://test-agent.agent-traffic.invalid';

/** Returns the test agent's Signature-Agent: the instance's origin if it uses https, or else a reserved one. */
export function getTestAgentOrigin(publicUrl: string): string {
  const url = URL.parse(publicUrl);
  return url?.protocol === 'https:' ? url.origin : RESERVED_ORIGIN;
}
