import type { AgentRow } from '../../api/statistics.js';
import { verifiedShare } from '../../format/change.js';
import type { Column } from '../../ui/sorting.js';

export const shareOf = ({ verified, visits, is_verifiable: isVerifiable }: AgentRow): number | null =>
  verifiedShare(verified, { of: visits, isVerifiable });

/** The server sorts by their keys. */
export const AGENT_COLUMNS: readonly Column<AgentRow>[] = [
  { key: 'token', label: 'Agent', value: (agent) => agent.agent_token },
  { key: 'type', label: 'Type', value: (agent) => agent.agent_type_name },
  { key: 'operator', label: 'Operator', value: (agent) => agent.operator_name },
  { key: 'visits', label: 'Visits', isNumber: true, value: (agent) => agent.visits },
  { key: 'trend', label: 'Trend' },
  {
    key: 'previous',
    label: 'Visits in the period compared with',
    isOnlyExported: true,
    value: (agent) => agent.previous_visits,
  },
  { key: 'verified', label: 'Verified', isNumber: true, value: shareOf },
  { key: 'verified_visits', label: 'Verified visits', isOnlyExported: true, value: (agent) => agent.verified },
  { key: 'spoofed', label: 'Spoofed', isNumber: true, value: (agent) => agent.verification_failed },
  { key: 'last_seen', label: 'Last seen', isLatestFirst: true, value: (agent) => agent.last_seen_at },
];
