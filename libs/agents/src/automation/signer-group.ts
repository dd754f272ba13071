import { readSignatureAgent } from '../web-bot-auth/signature-agent.js';
import { userAgentGroup } from './user-agent-group.js';

/**
 * Returns the group of a signed visit, named after the first member of Signature-Agent. Uses the entire header if it is
 * malformed. Returns null if it is missing.
 */
export function signerGroup(signatureAgent: string | null): string | null {
  if (signatureAgent === null || signatureAgent === '') return null;
  const field = readSignatureAgent(signatureAgent);
  const member = 'members' in field ? [...field.members.values()][0]?.[0] : 'one' in field ? field.one : signatureAgent;
  const first = Array.isArray(member) ? member[0]?.[0] : member;
  return `signed by ${userAgentGroup(typeof first === 'string' ? first : signatureAgent)}`;
}
