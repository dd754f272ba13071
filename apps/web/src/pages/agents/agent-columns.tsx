import { NO_METHOD, RESULTS } from '#libs/agents/vocabulary';
import { AgentActions } from '../../actions/agent-actions.js';
import type { Project } from '../../api/client.js';
import type { AgentRow } from '../../api/statistics.js';
import { AGENT_RESULTS, countVerdicts, VERDICT_COLORS, type AgentResult } from '../../charts/verdict-series.js';
import { formatPercent } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { agentFilter, agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { MarkedName } from '../../ui/agent-mark.js';
import type { TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';

const getAgentName = ({ agent_token: token }: AgentRow): string => token ?? 'No longer in the catalog';

const getShare = (agent: AgentRow, result: AgentResult): number => countVerdicts(agent)[result] / agent.visits;

const BAR_WIDTH_PX = 96;
const BAR_HEIGHT_PX = 12;

/** Grid areas for a row on narrow screens. */
export const AGENT_AREAS = ['token visits', 'bar change'];

/**
 * Returns the agent table's columns. The server sorts by their keys.
 *
 * @param maxVisits Visits of the longest bar.
 * @param range Date range that the links open.
 * @param before Name of the comparison range, or null for no changes.
 */
export function createAgentColumns(
  project: Project,
  shown: ShownRange,
  { maxVisits, range, before }: { maxVisits: number; range: LinkedRange; before: string | null },
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
    {
      key: 'type',
      label: 'Type',
      value: (agent) => agent.agent_type_name,
      style: { whiteSpace: 'nowrap' },
      narrow: { isSoft: true },
    },
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
    ...(before === null
      ? []
      : [
          {
            key: 'change',
            label: 'Change',
            isNumber: true,
            cell: (agent) => (
              <span title={`${formatCount(agent.previous_visits)} in ${before}`}>
                <Change current={agent.visits} previous={agent.previous_visits} before={before} />
              </span>
            ),
          } satisfies TableColumn<AgentRow>,
        ]),
    {
      key: 'bar',
      label: 'Verdicts',
      cell: (agent) => <VerdictBar agent={agent} maxVisits={maxVisits} />,
    },
    {
      key: 'previous',
      label: 'Visits in the comparison period',
      isOnlyExported: true,
      value: (agent) => agent.previous_visits,
    },
    ...AGENT_RESULTS.map((result): TableColumn<AgentRow> => ({
      key: result === 'verification_failed' ? 'spoofed' : result,
      label: RESULTS[result].label,
      isNumber: true,
      // The bar shows the remaining visits, and the server can't sort by their share.
      ...(result === 'not_verifiable' && { isOnlyExported: true as const }),
      value: (agent) => getShare(agent, result),
      cell: (agent) => {
        const visits = countVerdicts(agent)[result];
        if (visits === 0) {
          return (
            <span className="zero" title={result === 'verified' && !agent.is_verifiable ? NO_METHOD : undefined}>
              –
            </span>
          );
        }
        return (
          <TextLink
            {...linkToVisits({ agent: agentFilter(agent), result })}
            c={result === 'verification_failed' ? 'var(--failed)' : 'inherit'}
            underline="hover"
            size="sm"
            title={formatVisitCount(visits)}
          >
            {formatPercent(visits / agent.visits)}
            <span className="unseen">
              {' '}
              of visits by {getAgentName(agent)}: {RESULTS[result].label}
            </span>
          </TextLink>
        );
      },
    })),
    { key: 'verified_visits', label: 'Verified visits', isOnlyExported: true, value: (agent) => agent.verified },
    {
      key: 'spoofed_visits',
      label: 'Visits that failed verification',
      isOnlyExported: true,
      value: (agent) => agent.verification_failed,
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

/** Bar of the agent's visits by verdict. All bars of the table share a scale. */
function VerdictBar({ agent, maxVisits }: { agent: AgentRow; maxVisits: number }) {
  const counts = countVerdicts(agent);
  const toWidth = (visits: number): number => (visits / maxVisits) * BAR_WIDTH_PX;
  const starts = {
    verified: 0,
    not_verifiable: counts.verified,
    verification_failed: counts.verified + counts.not_verifiable,
  };
  return (
    <svg width={BAR_WIDTH_PX} height={BAR_HEIGHT_PX} aria-hidden="true">
      {AGENT_RESULTS.map((result) => (
        <rect
          key={result}
          x={toWidth(starts[result])}
          width={toWidth(counts[result])}
          height={BAR_HEIGHT_PX}
          fill={VERDICT_COLORS[result]}
        />
      ))}
    </svg>
  );
}
