import type { ComplianceAgent } from '../../api/compliance.js';
import type { Column, Sort } from '../../ui/sorting.js';

/** Visits that a version of robots.txt decided on. */
export const judgedOf = ({
  allowed,
  disallowed,
  no_rules: noRules,
}: Pick<ComplianceAgent, 'allowed' | 'disallowed' | 'no_rules'>): number => allowed + disallowed + noRules;

/** Of the visits that were decided on, the disallowed ones; null for none. */
export const shareOf = (agent: Parameters<typeof judgedOf>[0]): number | null =>
  judgedOf(agent) === 0 ? null : agent.disallowed / judgedOf(agent);

export const AGENT_COLUMNS: readonly Column<ComplianceAgent>[] = [
  { key: 'agent', label: 'Agent', value: (agent) => agent.agent_token ?? agent.agent_id },
  { key: 'type', label: 'Type', isOnlyExported: true, value: (agent) => agent.agent_type_name },
  { key: 'operator', label: 'Operator', isOnlyExported: true, value: (agent) => agent.operator_name },
  { key: 'judged', label: 'Judged', isNumber: true, value: judgedOf },
  { key: 'disallowed', label: 'Disallowed', isNumber: true, value: (agent) => agent.disallowed },
  { key: 'share', label: 'Share', isNumber: true, value: shareOf },
  { key: 'verified', label: 'Verified', isNumber: true, value: (agent) => agent.disallowed_verified },
  { key: 'served', label: 'Served', isNumber: true, value: (agent) => agent.disallowed_served },
  { key: 'forbidden', label: 'Blocked', isNumber: true, value: (agent) => agent.disallowed_forbidden },
  { key: 'conflicts', label: 'Conflicts', isNumber: true, value: (agent) => agent.allowed_forbidden },
  { key: 'read', label: 'Read robots.txt', isLatestFirst: true, value: (agent) => agent.last_robots_fetch_at },
  {
    key: 'read_before',
    label: 'Disallowed within 24 hours of reading robots.txt',
    isOnlyExported: true,
    value: (agent) => agent.read_before.visits,
  },
  {
    key: 'read_before_of',
    label: 'Disallowed visits compared with that',
    isOnlyExported: true,
    value: (agent) => agent.read_before.of,
  },
  { key: 'first', label: 'First disallowed', isOnlyExported: true, value: (agent) => agent.first_disallowed_at },
  { key: 'last', label: 'Last disallowed', isLatestFirst: true, value: (agent) => agent.last_disallowed_at },
  { key: 'no_rules', label: 'Without robots.txt', isOnlyExported: true, value: (agent) => agent.no_rules },
  { key: 'unreachable', label: 'Unreachable robots.txt', isOnlyExported: true, value: (agent) => agent.unreachable },
  { key: 'unknown', label: 'No known version', isOnlyExported: true, value: (agent) => agent.unknown },
  { key: 'spoofed', label: 'Spoofed', isOnlyExported: true, value: (agent) => agent.spoofed },
];
export const BY_DISALLOWED: Sort = { key: 'disallowed', direction: 'descending' };
