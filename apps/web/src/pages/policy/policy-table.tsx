import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Compliance } from '../../api/compliance.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount } from '../../format/count.js';
import { agentFilter, agentLink, listLink } from '../../range/list-link.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import { ControlCell } from './control-cell.js';
import type { Choice } from './controls.js';
import classes from './policy.module.css';
import { isRelevant, type AgentType, type IgnoringAgent, type PolicyRow } from './policy-rows.js';

const MAX_NAMED_AGENTS = 3;
const MAX_IGNORING_AGENTS = 3;

interface PolicyTableProps {
  projectId: string;
  range: Pick<Compliance, 'from' | 'to'>;
  rows: readonly PolicyRow[];
  isReader: boolean;
  onChoice: (type: AgentType, choice: Choice | undefined) => void;
  onLive: (row: PolicyRow) => void;
}

/** One row per agent type: visits, the site's response, and the agents that ignore it. */
export function PolicyTable({ projectId, range, rows, isReader, onChoice, onLive }: PolicyTableProps) {
  const [isExpanded, setExpanded] = useState(false);
  const relevant = rows.filter(isRelevant);
  const others = rows.length - relevant.length;
  const toList = listLink(projectId, range);
  const columns: readonly TableColumn<PolicyRow>[] = [
    {
      key: 'type',
      label: 'Agent type',
      isHead: true,
      cell: ({ type, agents }) => (
        <>
          <span
            className={classes['mark']}
            style={{ background: `var(--kind-${AGENT_TYPES.indexOf(type) + 1})` }}
            aria-hidden="true"
          />
          {type}
          {agents.length > 0 && (
            <span className={classes['agents']}>
              {agents
                .slice(0, MAX_NAMED_AGENTS)
                .map(({ agent_id: id, agent_token: token, operator_name: operator }) => (
                  <MarkedName key={id} name={token ?? '?'} operator={operator} size={16}>
                    {token ?? 'Deleted agent'}
                  </MarkedName>
                ))}
              {agents.length > MAX_NAMED_AGENTS && `and ${formatCount(agents.length - MAX_NAMED_AGENTS)} more`}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'visits',
      label: 'Visits in 30 days',
      isNumber: true,
      cell: ({ type, visits }) =>
        visits === 0 ? (
          <Text span inherit c="dimmed">
            –
          </Text>
        ) : (
          <TextLink {...toList(toFilters({ type: [type] }))} size="sm">
            {formatCount(visits)}
            <span className="unseen"> visits by {type}</span>
          </TextLink>
        ),
    },
    {
      key: 'control',
      label: 'Response',
      cell: (row) => (
        <ControlCell
          row={row}
          isReader={isReader}
          onChoice={(choice) => onChoice(row.type, choice)}
          onLive={() => onLive(row)}
        />
      ),
    },
    {
      key: 'ignoring',
      label: 'Ignored by',
      cell: ({ ignoring }) => <Ignoring projectId={projectId} range={range} ignoring={ignoring} />,
    },
  ];
  return (
    <>
      <DataTable
        label="Policy by agent type"
        columns={columns}
        rows={isExpanded ? rows : relevant}
        rowKey={({ type }) => type}
      />
      {others > 0 && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isExpanded}
            onClick={() => setExpanded(!isExpanded)}
          >
            {isExpanded
              ? 'Hide types without visits'
              : `Show ${others} ${others === 1 ? 'type' : 'types'} without visits`}
          </Button>
        </Group>
      )}
    </>
  );
}

type IgnoringProps = Pick<PolicyTableProps, 'projectId' | 'range'> & { ignoring: readonly IgnoringAgent[] };

function Ignoring({ projectId, range, ignoring }: IgnoringProps) {
  if (ignoring.length === 0) {
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  }
  const others = ignoring.length - MAX_IGNORING_AGENTS;
  return (
    <ul className={classes['ignoring']}>
      {ignoring.slice(0, MAX_IGNORING_AGENTS).map(({ agent, reason, visits }) => {
        const name = agent.agent_token ?? 'Deleted agent';
        const filters = { agent: [agentFilter(agent)], not_result: ['verification_failed'] };
        return (
          <li key={agent.agent_id}>
            <TextLink {...agentLink(projectId, agent.agent_id, range)} size="sm">
              {name}
            </TextLink>{' '}
            <TextLink
              {...listLink(
                projectId,
                range,
              )(
                toFilters({
                  ...filters,
                  ...(reason === 'disallowed' ? { robots: ['disallowed'] } : { status: ['403'] }),
                }),
              )}
              size="xs"
              {...(reason === 'refused' && { c: 'dimmed' })}
            >
              {reason === 'disallowed'
                ? `${formatCount(visits)} despite robots.txt`
                : `came back ${visits === 1 ? 'once' : `${formatCount(visits)} times`} after your 403`}
              <span className="unseen"> by {name}</span>
            </TextLink>
          </li>
        );
      })}
      {others > 0 && (
        <li>
          <TextLink to="/projects/$projectId/compliance" params={{ projectId }} search={{ range: '30d' }} size="xs">
            and {formatCount(others)} more
          </TextLink>
        </li>
      )}
    </ul>
  );
}
