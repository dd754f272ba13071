import type { NewsItem } from '../../api/statistics.js';
import type { Requests } from '../../rules/agent-response.js';

/** Returns the requests that an item is about, to find the rules that apply to them. */
export function toNewsRequests(item: NewsItem): readonly Requests[] {
  switch (item.kind) {
    case 'spoofing':
      return [
        {
          ...toAgent(item),
          ...(item.networks === 1 && { network: item.network }),
          results: ['verification_failed'],
        },
      ];
    case 'impersonation':
      return item.agents.map((agent) => ({
        ...toAgent(agent),
        network: item.network,
        results: ['verification_failed', 'not_verifiable'],
      }));
    case 'new_agent':
    case 'agent_change':
      return [toAgent(item)];
    default:
      return [];
  }
}

const toAgent = ({ agent_token, agent_type_name, operator_name }: Requests): Requests => ({
  agent_token,
  agent_type_name,
  operator_name,
});
