import type { Compliance, ComplianceAgent } from '#libs/contracts';
import { formatPercent } from '#libs/contracts/change';
import { count, localTime, plural } from '../terminal-text.js';
import { buildRows, type Report } from './report.js';

const countJudged = ({ allowed, disallowed, no_rules: noRules }: ComplianceAgent | Compliance['totals']): number =>
  allowed + disallowed + noRules;

const getDisallowedShare = (numbers: ComplianceAgent | Compliance['totals']): number | null =>
  countJudged(numbers) === 0 ? null : numbers.disallowed / countJudged(numbers);

const isJudgedCrawler = (agent: ComplianceAgent): boolean => !agent.is_user_triggered && countJudged(agent) > 0;

const formatTime = (time: string | null): string => (time === null ? '-' : localTime(time));

function describeUnjudged({ unreachable, unknown }: Compliance['totals']): string[] {
  const parts = [
    ...(unreachable > 0 ? [`${plural(unreachable, 'visit')} while robots.txt was unreachable`] : []),
    ...(unknown > 0 ? [`${plural(unknown, 'visit')} while no version was known`] : []),
  ];
  return parts.length === 0 ? [] : [`Not judged: ${parts.join(', ')}.`];
}

export const complianceReport: Report<'/api/projects/{id}/compliance'> = {
  name: 'compliance',
  description: 'agents that fetched paths disallowed by robots.txt',
  path: '/api/projects/{id}/compliance',
  help: `
Each visit is judged by the robots.txt in effect when it occurred.
SERVED counts disallowed visits with a response status below 400, BLOCKED counts
disallowed visits with status 403, and CONFLICTS counts allowed visits with status
403. Agents marked with * make requests on behalf of people. Their operators state
that robots.txt doesn't apply to them.`,
  read: ({ totals, agents }: Compliance) => ({
    ...buildRows<ComplianceAgent>(agents, [
      {
        heading: 'Agent',
        value: (agent) => agent.agent_token ?? agent.agent_id,
        text: (agent) => `${agent.agent_token ?? agent.agent_id}${agent.is_user_triggered ? ' *' : ''}`,
      },
      { heading: 'Operator', value: (agent) => agent.operator_name },
      { heading: 'Type', value: (agent) => agent.agent_type_name, isOnlyInCsv: true },
      { heading: 'User triggered', value: (agent) => agent.is_user_triggered, isOnlyInCsv: true },
      { heading: 'Judged', value: countJudged },
      { heading: 'Disallowed', value: (agent) => agent.disallowed },
      { heading: 'Share', value: getDisallowedShare, text: (agent) => formatPercent(getDisallowedShare(agent)) },
      { heading: 'Verified', value: (agent) => agent.disallowed_verified },
      { heading: 'Served', value: (agent) => agent.disallowed_served },
      { heading: 'Blocked', value: (agent) => agent.disallowed_forbidden },
      { heading: 'Allowed but blocked', value: (agent) => agent.allowed_forbidden },
      {
        heading: 'Last disallowed',
        value: (agent) => agent.last_disallowed_at,
        text: (agent) => formatTime(agent.last_disallowed_at),
      },
      {
        heading: 'Read robots.txt',
        value: (agent) => agent.last_robots_fetch_at,
        text: (agent) => formatTime(agent.last_robots_fetch_at),
      },
      { heading: 'First disallowed', value: (agent) => agent.first_disallowed_at, isOnlyInCsv: true },
      { heading: 'Read before', value: (agent) => agent.read_before.visits, isOnlyInCsv: true },
      { heading: 'Read before of', value: (agent) => agent.read_before.of, isOnlyInCsv: true },
      { heading: 'No rules', value: (agent) => agent.no_rules, isOnlyInCsv: true },
      { heading: 'Unreachable', value: (agent) => agent.unreachable, isOnlyInCsv: true },
      { heading: 'Unknown', value: (agent) => agent.unknown, isOnlyInCsv: true },
      { heading: 'Failed verification', value: (agent) => agent.spoofed, isOnlyInCsv: true },
      { heading: 'Failed verification, disallowed', value: (agent) => agent.spoofed_disallowed, isOnlyInCsv: true },
    ]),
    summary: [
      `${plural(totals.disallowed, 'disallowed visit')} by ${count(totals.disallowing_agents)} of ${plural(agents.filter(isJudgedCrawler).length, 'crawler')},`,
      `${formatPercent(getDisallowedShare(totals))} of ${count(countJudged(totals))} judged visits.`,
      `Not counted: ${count(totals.user_triggered_disallowed)} on behalf of people, ${count(totals.spoofed_disallowed)} that failed verification.`,
      ...describeUnjudged(totals),
    ].join(' '),
    empty:
      'No visits by agents were judged in this range. Visits are judged once a robots.txt version is known. See the Compliance page.',
  }),
};
