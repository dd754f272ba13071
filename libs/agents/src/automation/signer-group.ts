import { parseSignatureAgent } from '../web-bot-auth/signature-agent.js';
import { toUserAgentGroup } from './user-agent-group.js';

/**
 * Returns the user agent group for a signed visit, based on the first member of the Signature-Agent header. If the
 * header is malformed, its entire value is used. Returns null if it is missing or empty.
 */
export function toSignerGroup(signatureAgent: string | null): string | null {
  if (signatureAgent === null || signatureAgent === '') return null;
  const field = parseSignatureAgent(signatureAgent);
  const member = 'members' in field ? [...field.members.values()][0]?.[0] : 'one' in field ? field.one : signatureAgent;
  const first = Array.isArray(member) ? member[0]?.[0] : member;
  return `signed by ${toUserAgentGroup(typeof first === 'string' ? first : signatureAgent)}`;
}
