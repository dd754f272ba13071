import type { Compliance, ComplianceAgent } from '#libs/contracts';
import { count, localTime, plural } from '../terminal-text.js';
import { reportRows, type Report } from './report.js';

const judgedOf = ({ allowed, disallowed, no_rules: noRules }: ComplianceAgent | Compliance['totals']): number =>
  allowed + disallowed + noRules;

const shareOf = (of: ComplianceAgent | Compliance['totals']): number | null =>
  judgedOf(of) === 0 ? null : of.disallowed / judgedOf(of);

const percent = (share: number | null): string => (share === null ? '-' : `${(100 * share).toFixed(1)} %`);
const timeText = (time: string | null): string => (time === null ? '-' : localTime(time));

function notJudged({ unreachable, unknown }: Compliance['totals']): string[] {
  const parts = [
    ...(unreachable > 0 ? [`${plural(unreachable, 'visit')} while robots.txt was unreachable`] : []),
    ...(unknown > 0 ? [`${plural(unknown, 'visit')} while no version was known`] : []),
  ];
  return parts.length === 0 ? [] : [`Not judged: ${parts.join(', ')}.`];
}

export const complianceReport: Report<'/api/projects/{id}/compliance'> = {
  name: 'compliance',
  description: 'which agents fetched what robots.txt disallowed at that time',
  path: '/api/projects/{id}/compliance',
  help: `
Visits are judged by the robots.txt that was in force when they occurred.
SERVED are disallowed visits answered below 400, BLOCKED those answered 403,
CONFLICTS are allowed visits answered 403. Agents that fetch when a person asks
are marked with *: their operators say that robots.txt does not bind them.`,
  read: ({ totals, agents }: Compliance) => ({
    ...reportRows<ComplianceAgent>(agents, [
      {
        heading: 'Agent',
        value: (agent) => agent.agent_token ?? agent.agent_id,
        text: (agent) => `${agent.agent_token ?? agent.agent_id}${agent.is_user_triggered ? ' *' : ''}`,
      },
      { heading: 'Operator', value: (agent) => agent.operator_name },
      { heading: 'Type', value: (agent) => agent.agent_type_name, isOnlyInCsv: true },
      { heading: 'User triggered', value: (agent) => agent.is_user_triggered, isOnlyInCsv: true },
      { heading: 'Judged', value: judgedOf },
      { heading: 'Disallowed', value: (agent) => agent.disallowed },
      { heading: 'Share', value: shareOf, text: (agent) => percent(shareOf(agent)) },
      { heading: 'Verified', value: (agent) => agent.disallowed_verified },
      { heading: 'Served', value: (agent) => agent.disallowed_served },
      { heading: 'Blocked', value: (agent) => agent.disallowed_forbidden },
      { heading: 'Conflicts', value: (agent) => agent.allowed_forbidden },
      {
        heading: 'Last disallowed',
        value: (agent) => agent.last_disallowed_at,
        text: (agent) => timeText(agent.last_disallowed_at),
      },
      {
        heading: 'Read robots.txt',
        value: (agent) => agent.last_robots_fetch_at,
        text: (agent) => timeText(agent.last_robots_fetch_at),
      },
      { heading: 'First disallowed', value: (agent) => agent.first_disallowed_at, isOnlyInCsv: true },
      { heading: 'Read before', value: (agent) => agent.read_before.visits, isOnlyInCsv: true },
      { heading: 'Read before of', value: (agent) => agent.read_before.of, isOnlyInCsv: true },
      { heading: 'No rules', value: (agent) => agent.no_rules, isOnlyInCsv: true },
      { heading: 'Unreachable', value: (agent) => agent.unreachable, isOnlyInCsv: true },
      { heading: 'Unknown', value: (agent) => agent.unknown, isOnlyInCsv: true },
      { heading: 'Spoofed', value: (agent) => agent.spoofed, isOnlyInCsv: true },
      { heading: 'Spoofed disallowed', value: (agent) => agent.spoofed_disallowed, isOnlyInCsv: true },
    ]),
    summary: [
      `${plural(totals.disallowed, 'disallowed visit')} by ${plural(totals.disallowing_agents, 'agent')},`,
      `${percent(shareOf(totals))} of ${count(judgedOf(totals))} judged.`,
      `Not counted: ${count(totals.user_triggered_disallowed)} on behalf of people, ${count(totals.spoofed_disallowed)} spoofed.`,
      ...notJudged(totals),
    ].join(' '),
    empty:
      'No visits of agents were judged in this range. They are once a version of robots.txt is known: see the page Compliance.',
  }),
};
