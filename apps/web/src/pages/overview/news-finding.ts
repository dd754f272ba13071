import { describeReason } from '#libs/agents/vocabulary';
import { toUntrusted, type Finding, type FindingLink } from '../../actions/finding.js';
import type { NewsItem } from '../../api/statistics.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { describeCauses } from '../../range/change-causes.js';
import type { Range } from '../../range/range.js';

interface NewsContext {
  title: string;
  range: Range;
  timeZone: string;
  link: FindingLink;
}

/** Returns the finding that a news item is about, for its actions. */
export function toNewsFinding(item: NewsItem, { title, range, timeZone, link }: NewsContext): Finding {
  const agent =
    'agent_id' in item
      ? {
          agent: {
            id: item.agent_id,
            token: item.agent_token,
            type: item.agent_type_name,
            operator: item.operator_name,
          },
        }
      : {};
  return { title, facts: getFacts(item), range, timeZone, visits: link, ...agent, ...getScope(item) };
}

function getFacts(item: NewsItem): Finding['facts'] {
  const who: Finding['facts'] =
    'agent_id' in item
      ? [
          [
            'Agent',
            [item.agent_token ?? item.agent_id, item.operator_name && `by ${item.operator_name}`]
              .filter(Boolean)
              .join(' '),
          ],
          ['Type', item.agent_type_name ?? ''],
        ]
      : [];
  switch (item.kind) {
    case 'spoofing':
      return [
        ...who,
        ['Networks', item.networks === 1 ? item.network : `${formatCount(item.networks)}, most from ${item.network}`],
        ['Evidence', item.reason === null ? '' : describeReason(item.reason)],
      ];
    case 'impersonation':
      return [
        ['Network', item.network],
        ['Failed verification', `${formatCount(item.spoofed)} of ${formatVisitCount(item.visits)}`],
        [
          'Claimed agents',
          item.agents
            .map((agent) => `${agent.agent_token ?? agent.agent_id} (${formatCount(agent.visits)})`)
            .join(', '),
        ],
      ];
    case 'errors':
      return [['Most errors on', `${item.page} (${formatCount(item.page_visits)})`]];
    case 'robots_refused':
      return [['Agents', item.agents.map((agent) => agent.agent_token ?? agent.agent_id).join(', ')]];
    case 'agent_change':
      return [...who, ['Why', describeCauses(item.causes) ?? '']];
    default:
      return who;
  }
}

function getScope(item: NewsItem): Pick<Finding, 'alertKind' | 'result' | 'network'> {
  switch (item.kind) {
    case 'spoofing':
      return {
        alertKind: 'spoofing',
        result: 'verification_failed',
        ...(item.networks === 1 && { network: item.network }),
      };
    case 'impersonation':
      return { alertKind: 'spoofing', network: item.network };
    case 'errors':
      return { alertKind: item.status === '5xx' ? 'server_errors' : 'errors' };
    case 'silence':
    case 'outage':
      return { alertKind: 'no_visits' };
    case 'new_agent':
      return { alertKind: 'spike' };
    case 'agent_change':
      return {
        alertKind: item.visits > item.previous_visits ? 'spike' : 'drop',
        ...toUntrusted(item.causes?.find(({ dimension }) => dimension === 'verdict')?.value),
      };
    default:
      return {};
  }
}
