import { Text } from '@mantine/core';
import type { Project } from '../../../api/client.js';
import type { PaymentsReport } from '../../../api/payments.js';
import type { EffectAgent, PolicyEffect } from '../../../api/policy-effect.js';
import { formatBytes } from '../../../format/bytes.js';
import { formatCount } from '../../../format/count.js';
import { formatDuration } from '../../../format/duration.js';
import { Change } from '../../../range/change.js';
import { toFilters } from '../../../filters/visit-filters.js';
import { listLink } from '../../../range/list-link.js';
import { DataTable, type TableColumn } from '../../../ui/data-table.js';
import { RelativeTime } from '../../../ui/relative-time.js';
import { Section } from '../../../ui/section.js';
import { TabbedCard, type CardTab } from '../../../ui/tabbed-card.js';
import { TextLink } from '../../../ui/text-link.js';
import { OUTCOME_LABELS } from '../../../rules/rule-text.js';
import { labelTurnedAway } from '../../../rules/outcomes.js';
import { ReactionTable } from './reaction-table.js';
import { CameBackTable, describeVisitor, toAgentFilter, Visitor, VisitLink, VisitorName } from './came-back.js';

interface EffectTabsProps {
  project: Project;
  effect: PolicyEffect;
}

/** Card about the time after a rule's decisions, with one tab per question. */
export function EffectTabs({ project, effect, payments }: EffectTabsProps & { payments: PaymentsReport | null }) {
  const { agents, people, referrals } = effect;
  const others = agents
    .flatMap((agent) => agent.as_others.map((other) => ({ agent, other })))
    .toSorted(
      ({ other: one }, { other }) =>
        other.address_visits - one.address_visits || other.network_visits - one.network_visits,
    );
  const props = { project, effect };
  const tabs: CardTab[] = [
    ...(agents.length === 0
      ? []
      : [
          {
            key: 'returns',
            label: payments === null ? 'Came back' : 'By agent',
            content:
              payments === null ? (
                <CameBackTable projectId={project.id} effect={effect} />
              ) : (
                <ReactionTable projectId={project.id} effect={effect} payments={payments} />
              ),
          },
          {
            key: 'others',
            label: 'Under another name',
            count: formatCount(others.length),
            content: <OthersTable {...props} rows={others} />,
          },
          { key: 'saved', label: 'Saved', content: <SavedTable {...props} /> },
        ]),
    ...(referrals === null ? [] : [{ key: 'referrals', label: 'Referrals', content: <Referrals {...props} /> }]),
    ...(people.visits === 0
      ? []
      : [{ key: 'people', label: 'People', count: formatCount(people.visits), content: <People {...props} /> }]),
  ];
  const [tab] = tabs;
  if (tab === undefined) return null;
  if (tabs.length === 1) return <Section title={tab.label}>{tab.content}</Section>;
  return <TabbedCard label="What followed" tabs={tabs} param="tab" />;
}

interface OtherRow {
  agent: EffectAgent;
  other: EffectAgent['as_others'][number];
}

function OthersTable({ project, effect, rows }: EffectTabsProps & { rows: readonly OtherRow[] }) {
  const columns: readonly TableColumn<OtherRow>[] = [
    {
      key: 'agent',
      label: 'Turned away',
      isHead: true,
      cell: ({ agent }) => <Visitor projectId={project.id} agent={agent} range={effect} />,
    },
    {
      key: 'other',
      label: 'Then visited as',
      cell: ({ other }) => <VisitorName projectId={project.id} agent={other} range={effect} />,
      narrow: { before: 'then as ' },
    },
    {
      key: 'address',
      label: 'Same address',
      isNumber: true,
      value: ({ other }) => other.address_visits,
      narrow: { after: ' from the same address' },
    },
    { key: 'network', label: 'Same network', isNumber: true, value: ({ other }) => other.network_visits },
    { key: 'first', label: 'First', isTime: true, value: ({ other }) => other.first_at },
    {
      key: 'visits',
      label: 'Example',
      cell: ({ agent, other }) => (
        <VisitLink
          projectId={project.id}
          ids={other.visit_ids}
          of={`${describeVisitor(agent)} as ${describeVisitor(other)}`}
        />
      ),
    },
  ];
  if (rows.length === 0) {
    return (
      <Text size="sm">
        No visit under another name came from the address or network of a visitor that this rule turned away.
      </Text>
    );
  }
  return (
    <>
      <DataTable
        label="Visits under another name"
        columns={columns}
        rows={rows}
        rowKey={({ agent, other }) => [agent.agent_id, agent.is_spoofed, other.agent_id, other.is_spoofed].join(' ')}
        pageSize={10}
        phone={['agent visits', 'other address']}
      />
      <Text size="sm" c="dimmed">
        Visits within 24 hours. Several visitors can share a network (/24 or /48), and one operator can run several
        agents on it.
      </Text>
    </>
  );
}

function SavedTable({ project, effect }: EffectTabsProps) {
  const columns: readonly TableColumn<EffectAgent>[] = [
    {
      key: 'visitor',
      label: 'Visitor',
      isHead: true,
      cell: (agent) => <Visitor projectId={project.id} agent={agent} range={effect} />,
    },
    {
      key: 'requests',
      label: labelTurnedAway(effect),
      isNumber: true,
      value: ({ came_back: cameBack }) => cameBack.requests,
    },
    {
      key: 'bytes',
      label: 'Bytes saved',
      isNumber: true,
      value: ({ saved_bytes: bytes }) => bytes,
      cell: ({ saved_bytes: bytes, ...agent }) =>
        bytes === null ? <Unknown agent={agent} /> : `≈ ${formatBytes(bytes)}`,
    },
    {
      key: 'time',
      label: 'Server time saved',
      isNumber: true,
      value: ({ saved_milliseconds: time }) => time,
      cell: ({ saved_milliseconds: time, ...agent }) =>
        time === null ? <Unknown agent={agent} /> : `≈ ${formatDuration(time)}`,
    },
  ];
  const { saved_bytes: bytes, saved_milliseconds: time } = effect;
  return (
    <>
      <Text size="sm">
        {bytes === null && time === null
          ? effect.agents.every(({ served_responses: served }) => served === 0)
            ? 'These visitors were never served, so there’s nothing to estimate from.'
            : 'Your source reports neither sizes nor times of responses to these visitors.'
          : `The rule saved about ${[
              ...(bytes === null ? [] : [formatBytes(bytes)]),
              ...(time === null ? [] : [`${formatDuration(time)} of server time`]),
            ].join(' and ')}.`}{' '}
        <Text span inherit c="dimmed">
          Estimate: the visitor’s median served response × its requests that were turned away.
        </Text>
      </Text>
      <DataTable
        label="Estimated savings"
        initial="requests"
        columns={columns}
        rows={effect.agents}
        rowKey={(agent) => `${agent.agent_id} ${agent.is_spoofed}`}
        pageSize={10}
        phone={['visitor bytes', 'requests time']}
      />
    </>
  );
}

const Unknown = ({ agent }: { agent: Pick<EffectAgent, 'agent_id' | 'served_responses'> }) => (
  <Text span inherit c="dimmed">
    {agent.agent_id === null
      ? 'Not estimated'
      : agent.served_responses === 0
        ? 'Never served'
        : 'Not reported by this source'}
  </Text>
);

type OperatorReferrals = NonNullable<PolicyEffect['referrals']>['operators'][number];

function Referrals({ project, effect }: EffectTabsProps) {
  const { days, operators } = effect.referrals!;
  const span = formatLongSpan(days);
  const columns: readonly TableColumn<OperatorReferrals>[] = [
    {
      key: 'operator',
      label: 'Operator',
      isHead: true,
      value: ({ operator_name: name }) => name,
    },
    {
      key: 'before',
      label: `${span} before`,
      isNumber: true,
      value: ({ before }) => before,
      narrow: { after: ' before' },
    },
    { key: 'after', label: `${span} after`, isNumber: true, value: ({ after }) => after, narrow: { after: ' after' } },
    {
      key: 'change',
      label: 'Change',
      isNumber: true,
      cell: ({ before, after }) => <Change current={after} previous={before} before={`the ${span} before`} good="up" />,
    },
  ];
  if (days === 0 || operators.length === 0) {
    return (
      <Text size="sm">
        {days === 0
          ? 'No visits were recorded before the rule went live.'
          : `Assistants of the affected operators sent nobody in the ${span} before and after the rule went live.`}{' '}
        <TextLink
          to="/projects/$projectId/referrals"
          params={{ projectId: project.id }}
          search={{ range: '30d' }}
          inherit
        >
          All referrals
        </TextLink>
      </Text>
    );
  }
  return (
    <>
      <DataTable
        label="Referrals before and after"
        columns={columns}
        rows={operators}
        rowKey={({ operator_name: name }) => name}
        phone={['operator change', 'before after']}
      />
      <Text size="sm" c="dimmed">
        People sent by assistants of the affected operators, in equally long times before and after the rule went live.
        Other causes are possible.
      </Text>
    </>
  );
}

/** Formats a number of days, such as "30 days" or "5 hours". */
function formatLongSpan(days: number): string {
  const [value, unit] = days < 2 ? [Math.round(days * 24), 'hour'] : [Math.round(days), 'day'];
  return `${formatCount(value)} ${unit}${value === 1 ? '' : 's'}`;
}

type PersonVisit = PolicyEffect['people']['examples'][number];

function People({ project, effect }: EffectTabsProps) {
  const { visits, examples } = effect.people;
  const columns: readonly TableColumn<PersonVisit>[] = [
    {
      key: 'path',
      label: 'Path',
      isHead: true,
      cell: ({ visit_id: visit, path }) => (
        <TextLink to="/projects/$projectId/visits" params={{ projectId: project.id }} search={{ visit }} size="sm">
          {path}
        </TextLink>
      ),
    },
    {
      key: 'outcome',
      label: 'Outcome',
      cell: ({ mode, outcome }) =>
        mode === 'live' ? OUTCOME_LABELS[outcome] : `Would be ${OUTCOME_LABELS[outcome].toLowerCase()}`,
    },
    { key: 'time', label: 'Time', isNumber: true, cell: ({ occurred_at: time }) => <RelativeTime time={time} /> },
  ];
  return (
    <>
      <Text size="sm">
        {formatCount(visits)} {visits === 1 ? 'visit' : 'visits'} by unknown visitors with a browser’s full headers. If
        these are people, narrow the rule’s visitors or paths under{' '}
        <TextLink to="/projects/$projectId/policy" params={{ projectId: project.id }} inherit>
          Policy
        </TextLink>
        .
      </Text>
      <DataTable
        label="Visits by possible people"
        columns={columns}
        rows={examples}
        rowKey={({ visit_id: id }) => id}
        phone={['path time', 'outcome outcome']}
      />
      {visits > examples.length && (
        <Text size="sm" c="dimmed">
          The newest {formatCount(examples.length)}.{' '}
          <TextLink {...listLink(project.id, effect)(toFilters({ rule: effect.rule_ids, ...UNKNOWN }))} inherit>
            All visits by unknown visitors
          </TextLink>
        </Text>
      )}
    </>
  );
}

const UNKNOWN = toAgentFilter({ agent_id: null, agent_token: null, operator_name: null, is_spoofed: false });
