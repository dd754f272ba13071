import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { capitalize } from '#libs/agents/vocabulary';
import type { PolicyRule } from '../../api/policy.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import { NetworkActions, NetworkVisits } from './network-row.js';
import { ControlCell } from './control-cell.js';
import { ResponseIcon } from './response-icon.js';
import { describeAction } from '../../rules/rule-text.js';
import type { Choice } from '../../rules/controls.js';
import classes from './policy.module.css';
import {
  isRelevant,
  isRestricted,
  type AgentType,
  type ExceptionLine,
  type IgnoringAgent,
  type PolicyRow,
} from './policy-rows.js';

const MAX_NAMED_AGENTS = 3;
const MAX_IGNORING_AGENTS = 3;

interface PolicyTableProps {
  projectId: string;
  range: LinkedRange;
  rows: readonly PolicyRow[];
  /** Rules that can apply to several types, or to agents that didn't visit. */
  others: readonly ExceptionLine[];
  isReader: boolean;
  /** True if some changes aren't published. */
  hasChanges: boolean;
  onChoice: (type: AgentType, choice: Choice | undefined) => void;
  onLive: (row: PolicyRow) => void;
  onEdit: (rule: PolicyRule) => void;
}

/** Row of a type, or of other rules. */
type TableRow = PolicyRow | { type: null; label: string; exceptions: readonly ExceptionLine[] };

const isForNetworks = ({ rule }: ExceptionLine): boolean => rule?.visitors?.networks !== undefined;

const toOtherRow = (label: string, exceptions: readonly ExceptionLine[]): TableRow[] =>
  exceptions.length === 0 ? [] : [{ type: null, label, exceptions }];

/** One row per agent type: visits, the site's response with its exceptions, and conflicts with agents. */
export function PolicyTable(props: PolicyTableProps) {
  const { projectId, range, rows, others, isReader, hasChanges, onChoice, onLive, onEdit } = props;
  const [isExpanded, setExpanded] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const restricted = rows.filter(isRestricted);
  // Phones start with the types that something happens to.
  const isFolded = isNarrow && restricted.length > 0;
  const relevant = isFolded ? restricted : rows.filter(isRelevant);
  const hidden = rows.length - relevant.length;
  const hiddenTypes = `${hidden} ${hidden === 1 ? 'type' : 'types'} ${isFolded ? 'that you allow' : 'without visits'}`;
  const toList = listLink(projectId, range);
  const columns: readonly TableColumn<TableRow>[] = [
    {
      key: 'type',
      label: 'Agent type',
      isHead: true,
      cell: (row) => (row.type === null ? row.label : <TypeCell row={row} />),
    },
    {
      key: 'visits',
      label: 'Visits in 30 days',
      isNumber: true,
      narrow: { after: 'visits' },
      cell: (row) =>
        row.type === null ? (
          <NetworkVisits projectId={projectId} range={range} exceptions={row.exceptions} />
        ) : row.visits === 0 ? null : (
          <TextLink {...toList(toFilters({ type: [row.type] }))} size="sm">
            {formatCount(row.visits)}
            <span className="unseen"> visits by {row.type}</span>
          </TextLink>
        ),
    },
    {
      key: 'control',
      label: 'What happens',
      cell: (row) => (
        <>
          <ExceptionList {...{ projectId, isReader, hasChanges, onEdit }} lines={row.exceptions} />
          {row.type !== null && (
            <ControlCell
              projectId={projectId}
              row={row}
              isReader={isReader}
              onChoice={(choice) => onChoice(row.type, choice)}
              onLive={() => onLive(row)}
            />
          )}
        </>
      ),
    },
    {
      key: 'ignoring',
      label: 'Conflicts',
      cell: (row) =>
        row.type !== null &&
        row.ignoring.length > 0 && <Ignoring projectId={projectId} range={range} ignoring={row.ignoring} />,
    },
  ];
  return (
    <>
      <DataTable<TableRow>
        label="Policy by agent type"
        columns={columns}
        rows={[
          ...toOtherRow('Networks', others.filter(isForNetworks)),
          ...(isExpanded ? rows : relevant),
          ...toOtherRow(
            'Several types',
            others.filter((line) => !isForNetworks(line)),
          ),
        ]}
        rowKey={(row) => row.type ?? row.label}
        phone={['type visits', 'control control', 'ignoring ignoring']}
        className={classes['policy']}
      />
      {hidden > 0 && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isExpanded}
            onClick={() => setExpanded(!isExpanded)}
          >
            {isExpanded ? 'Hide' : 'Show'} {hiddenTypes}
          </Button>
        </Group>
      )}
    </>
  );
}

const TypeCell = ({ row: { type, agents } }: { row: PolicyRow }) => (
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
          .map(({ agent: { agent_id: id, agent_token: token, operator_name: operator } }) => (
            <MarkedName key={id} name={token ?? '?'} operator={operator} size={16}>
              {token ?? 'Deleted agent'}
            </MarkedName>
          ))}
        {agents.length > MAX_NAMED_AGENTS && `and ${formatCount(agents.length - MAX_NAMED_AGENTS)} more`}
      </span>
    )}
  </>
);

interface ExceptionListProps extends Pick<PolicyTableProps, 'projectId' | 'isReader' | 'hasChanges' | 'onEdit'> {
  lines: readonly ExceptionLine[];
}

/** Agents and requests that the control doesn't apply to, one line per outcome. */
function ExceptionList({ projectId, isReader, hasChanges, onEdit, lines }: ExceptionListProps) {
  if (lines.length === 0) return null;
  return (
    <ul className={classes['lines']}>
      {lines.map(({ id, who, action, note, rule }) => (
        <li key={id}>
          <ResponseIcon kind={action?.kind ?? 'allow'} isDryRun={note !== null && rule?.mode === 'dry_run'} />
          <span className={classes['line']}>
            <b>{action === null ? 'Not in robots.txt' : capitalize(describeAction({ action }))}</b>{' '}
            <span className={classes['who']}>{who}</span>
            {note !== null && <span className={classes['mode']}> ({note})</span>}
          </span>
          {rule !== null && rule.visitors?.networks !== undefined && (
            <NetworkActions projectId={projectId} rule={rule} canRemove={!isReader && !hasChanges} />
          )}
          {rule === null ? (
            <TextLink to="/projects/$projectId/robots" params={{ projectId }} size="xs">
              robots.txt
            </TextLink>
          ) : (
            !isReader && (
              <button type="button" className={classes['edit']} onClick={() => onEdit(rule)}>
                Edit<span className="unseen"> the rule for {who}</span>
              </button>
            )
          )}
        </li>
      ))}
    </ul>
  );
}

type IgnoringProps = Pick<PolicyTableProps, 'projectId' | 'range'> & { ignoring: readonly IgnoringAgent[] };

const CONFLICT_TEXTS: Record<IgnoringAgent['reason'], (visits: number) => string> = {
  disallowed: (visits) => `${formatVisitCount(visits)} despite robots.txt`,
  blocked: (visits) => `${formatVisitCount(visits)} blocked by a rule`,
  refused: (visits) => `${formatVisitCount(visits)} refused by your server`,
};

function Ignoring({ projectId, range, ignoring }: IgnoringProps) {
  const others = ignoring.length - MAX_IGNORING_AGENTS;
  const toList = listLink(projectId, range);
  return (
    <ul className={classes['ignoring']}>
      {ignoring.slice(0, MAX_IGNORING_AGENTS).map(({ agent, reason, visits }) => {
        const name = agent.agent_token ?? 'Deleted agent';
        const filters =
          reason === 'disallowed' ? { robots: ['disallowed'] } : { status: ['403'], robots: ['allowed', 'disallowed'] };
        return (
          <li key={agent.agent_id}>
            <MarkedName name={name} operator={agent.operator_name} size={16}>
              {name}
            </MarkedName>
            <TextLink
              {...toList(toFilters({ ...filters, agent: [agentFilter(agent)], not_result: ['verification_failed'] }))}
              size="xs"
            >
              {CONFLICT_TEXTS[reason](visits)}
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
