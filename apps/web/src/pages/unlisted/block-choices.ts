import type { BlockChoice } from '../../actions/finding.js';
import type { UnlistedGroup } from '../../api/unlisted-user-agents.js';
import { toAgentRecord } from '../../catalog/agent-record.js';
import { escapePattern, suggestAgent } from '../../catalog/suggest-agent.js';
import { getBlockableName } from './bots.js';

/**
 * Returns the ways to block an unknown bot: by its user agent, which affects nobody else, and by each of its networks.
 *
 * @param userAgent User agent of one of the visits, or undefined if none is stored.
 * @param mayAddAgents True if the user may add agents to the catalog. Rules can't apply to other user agents.
 */
export function getBlockChoices(
  { user_agent_group: group, networks }: Pick<UnlistedGroup, 'user_agent_group' | 'networks'>,
  { userAgent, mayAddAgents }: { userAgent: string | undefined; mayAddAgents: boolean },
): BlockChoice[] {
  const name = getBlockableName(group);
  const choices: BlockChoice[] = networks.map(({ prefix: network }) => ({
    label: `Everyone in ${network}`,
    target: { network },
  }));
  if (name === null || !mayAddAgents) return choices;
  const suggested = suggestAgent(userAgent ?? group.replaceAll('*', '1.0'));
  const fields = { ...suggested, token: name, user_agent_patterns: escapePattern(name), robots_token: '' };
  return [
    { label: `Only ${name}, by its user agent`, target: { token: name, newAgent: toAgentRecord(fields, null) } },
    ...choices,
  ];
}
