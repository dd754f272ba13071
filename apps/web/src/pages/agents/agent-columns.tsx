import { NO_METHOD } from '#libs/agents/vocabulary';
import { AgentActions } from '../../actions/agent-actions.js';
import type { Project } from '../../api/client.js';
import type { AgentRow } from '../../api/statistics.js';
import { formatPercent, getResultShare } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { agentFilter, agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { MarkedName } from '../../ui/agent-mark.js';
import type { TableColumn } from '../../ui/data-table.js';
import { Sparkline } from '../../ui/sparkline.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './agent-columns.module.css';

const getAgentName = ({ agent_token: token }: AgentRow): string => token ?? 'No longer in the catalog';

const getVerifiedShare = ({ verified, visits, is_verifiable: isVerifiable }: AgentRow): number | null =>
  getResultShare(verified, { of: visits, isVerifiable });

/** Grid areas for a row on narrow screens. */
export const AGENT_AREAS = ['token visits', 'type verified', 'spoofed spoofed'];

/**
 * Returns the agent table's columns. The server sorts by their keys.
 *
 * @param range Date range that the links open.
 * @param before Name of the comparison range, or null for none.
 */
export function createAgentColumns(
  project: Project,
  shown: ShownRange,
  { range, before }: { range: LinkedRange; before: string | null },
): readonly TableColumn<AgentRow>[] {
  const { id: projectId } = project;
  const linkToVisits = listLink(projectId, range);
  return [
    {
      key: 'token',
      label: 'Agent',
      isHead: true,
      value: (agent) => agent.agent_token,
      cell: (agent) => (
        <MarkedName name={getAgentName(agent)} operator={agent.operator_name}>
          <TextLink {...agentLink(projectId, agent.agent_id, range)} size="sm">
            {getAgentName(agent)}
          </TextLink>
        </MarkedName>
      ),
    },
    { key: 'type', label: 'Type', value: (agent) => agent.agent_type_name, narrow: { isSoft: true } },
    { key: 'operator', label: 'Operator', value: (agent) => agent.operator_name },
    {
      key: 'visits',
      label: 'Visits',
      isNumber: true,
      value: (agent) => agent.visits,
      cell: (agent) => (
        <TextLink {...linkToVisits({ agent: agentFilter(agent) })} size="sm">
          {formatCount(agent.visits)}
          <span className="unseen"> visits by {getAgentName(agent)}</span>
        </TextLink>
      ),
      narrow: { after: 'visits' },
    },
    {
      key: 'trend',
      label: 'Trend',
      cell: (agent) => (
        <span className={classes['trend']}>
          <Sparkline values={agent.series} label={`Visits by ${getAgentName(agent)} over time`} />
          {before !== null && (
            <span
              className={`${classes['change']} numbers`}
              title={`${formatCount(agent.previous_visits)} in ${before}`}
            >
              <Change current={agent.visits} previous={agent.previous_visits} before={before} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'previous',
      label: 'Visits in the comparison period',
      isOnlyExported: true,
      value: (agent) => agent.previous_visits,
    },
    {
      key: 'verified',
      label: 'Verified',
      isNumber: true,
      value: getVerifiedShare,
      cell: (agent) => (
        <span
          className={getVerifiedShare(agent) === null ? 'zero' : agent.verified === 0 ? classes['none'] : undefined}
          title={agent.is_verifiable ? undefined : NO_METHOD}
        >
          {formatPercent(getVerifiedShare(agent))}
        </span>
      ),
      narrow: { after: 'verified' },
    },
    { key: 'verified_visits', label: 'Verified visits', isOnlyExported: true, value: (agent) => agent.verified },
    {
      key: 'spoofed',
      label: 'Spoofed',
      isNumber: true,
      value: (agent) => agent.verification_failed,
      cell: (agent) =>
        agent.verification_failed === 0 ? (
          <span className="zero">–</span>
        ) : (
          <TextLink
            {...linkToVisits({ agent: agentFilter(agent), result: 'verification_failed' })}
            c="var(--failed)"
            size="sm"
          >
            {formatCount(agent.verification_failed)}
            <span className="unseen"> visits spoofing {getAgentName(agent)}</span>
          </TextLink>
        ),
      narrow: { after: 'spoofed' },
    },
    { key: 'last_seen', label: 'Last seen', isTime: true, value: (agent) => agent.last_seen_at },
    {
      key: 'actions',
      label: 'Actions',
      cell: (agent) => (
        <AgentActions
          project={project}
          loadFinding={async () =>
            (await import('../../actions/agent-findings.js')).toAgentFinding(agent, {
              range: shown,
              timeZone: shown.timeZone,
              visits: linkToVisits({ agent: agentFilter(agent) }),
            })
          }
          of={getAgentName(agent)}
          isCompact
        />
      ),
    },
  ];
}
