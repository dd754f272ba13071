import { TEST_AGENT } from '#libs/catalog';
import type { Visit } from '#libs/contracts';

/**
 * Returns the headers with the test agent's User-Agent. Visits that prove a policy have the User-Agent header of
 * another agent, but are identified as the test agent.
 */
export function toTestAgentHeaders(headers: Visit['request_headers']): Visit['request_headers'] {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'user-agent');
  return { ...Object.fromEntries(others), 'user-agent': TEST_AGENT.userAgent };
}
