import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import { AgentActions } from '../../actions/agent-actions.js';
import type { PaymentAgent, PaymentsReport } from '../../api/payments.js';
import { formatCount } from '../../format/count.js';
import { formatDecimal } from '../../format/money.js';
import { agentFilter, agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { toFilters } from '../../filters/visit-filters.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { TabbedCard, type CardTab } from '../../ui/tabbed-card.js';
import { TextLink } from '../../ui/text-link.js';
import {
  countPending,
  countReactions,
  formatSums,
  nameAgent,
  selectReturns,
  type Identity,
} from '../../payments/payment-counts.js';
import type { PaymentTab } from './search.js';

interface PaymentTabsProps {
  project: Project;
  report: PaymentsReport;
  /** Range for links to the visit list. */
  linked: LinkedRange;
  timeZone: string;
}

type Tab = CardTab & { key: PaymentTab };

type Price = PaymentAgent['prices'][number] & { agent: PaymentAgent };
type Return = PaymentAgent['returns'][number] & { agent: PaymentAgent; visits: number };

const OUTCOMES: Record<Price['outcome'], string> = {
  asked: 'Asked to pay',
  offered: 'Offered to pay',
  paid: 'Paid',
  licensed: 'Licensed',
  failed: 'Declined',
};
const SCHEMES: Record<Price['scheme'], string> = {
  crawler: 'Pay per crawl',
  x402: 'x402',
  payment: 'HTTP Payment',
  license: 'RSL license',
  toll: 'Toll redirect',
  status: '402 only',
};

/** Number of visitors from the same place shown initially. */
const MAX_RETURNS = 10;
/** URL fragment of the card. */
export const PAYMENTS_ID = 'payments';

/** Payments by agent. Agents that act for people are listed separately. */
export function PaymentTabs(props: PaymentTabsProps) {
  const { project, report } = props;
  // Visits that failed verification are a line below the agent that they claim to be.
  const listed = report.agents.filter((agent) => !report.agents.some((other) => findSpoofed(other, report) === agent));
  const forUsers = listed.filter((agent) => agent.is_user_triggered);
  const others = listed.filter((agent) => !agent.is_user_triggered);
  const returns = report.agents.flatMap((agent) => agent.returns.map((row) => ({ ...row, agent })));
  const prices = report.agents.flatMap((agent) => agent.prices.map((row): Price => ({ ...row, agent })));
  const shared = { owner: project.name, range: report };
  const columns = agentColumns(props);
  const renderAgents = (label: string, rows: readonly PaymentAgent[], lead: ReactNode) => (
    <DataTable
      label={label}
      phone={['agent actions', 'asked paid', 'failed amount', 'walked unpaid']}
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      initial="asked"
      {...shared}
      toolbar={lead}
      empty="No crawlers were asked to pay in this range."
    />
  );
  const renderReturns = (label: string, rows: readonly Return[], lead: ReactNode) => (
    <DataTable
      label={label}
      columns={returnColumns(project, rows)}
      rows={rows}
      rowKey={(row) => `${keyOf(row.agent)} ${row.agent_id} ${row.is_spoofed}`}
      initial="visits"
      pageSize={MAX_RETURNS}
      {...shared}
      toolbar={lead}
      empty="No such visits in this range."
    />
  );
  const tabs: readonly (Tab | false)[] = [
    {
      key: 'agents',
      label: 'Crawlers',
      content: renderAgents(
        'Payments',
        others,
        <Lead
          help={
            <>
              An agent walked away if it made no attempt to pay for the same URL within {report.window_minutes} minutes.
              Pending: asked less than {report.window_minutes} minutes ago, or asked again before the agent reacted.
              Each reaction is counted when your site asked. Currencies are never added up. Agent Traffic doesn’t settle
              payments.
              {report.counted_from > report.from && ` Only visits since ${report.counted_from} are counted.`}
            </>
          }
        >
          Crawlers that your site or CDN asked to pay.
        </Lead>,
      ),
    },
    forUsers.length > 0 && {
      key: 'users',
      label: 'User requests',
      content: renderAgents(
        'Payments for user requests',
        forUsers,
        <Lead>
          These agents fetch pages on behalf of users, so charging them means charging for a person’s question.
        </Lead>,
      ),
    },
    returns.length > 0 && {
      key: 'returns',
      label: 'Other identities',
      content: (
        <Stack gap="xl">
          {renderReturns(
            'Visits from the same address',
            selectReturns(returns, 'address'),
            <Lead help={`Up to ${report.window_minutes} minutes later, under another identity.`}>
              Visits from the same address after an agent walked away.
            </Lead>,
          )}
          {renderReturns(
            'Visits from the same network',
            selectReturns(returns, 'network'),
            <Lead
              help={`Networks are a /24 for IPv4 and a /48 for IPv6. Up to ${report.window_minutes} minutes later.`}
            >
              Visits from other addresses in the same network. Many visitors can share one, so most of them are probably
              unrelated.
            </Lead>,
          )}
        </Stack>
      ),
    },
    {
      key: 'prices',
      label: 'Prices',
      content: (
        <DataTable
          label="Prices and results"
          columns={PRICE_COLUMNS}
          rows={prices}
          rowKey={(row) =>
            JSON.stringify([
              keyOf(row.agent),
              row.scheme,
              row.outcome,
              row.amount,
              row.currency,
              row.error,
              row.alternatives,
            ])
          }
          initial="visits"
          {...shared}
          toolbar={<Lead>The prices your site or CDN asked for, and how agents responded.</Lead>}
          empty=""
        />
      ),
    },
  ];
  return (
    <TabbedCard
      label="Payments by agent"
      id={PAYMENTS_ID}
      param="tab"
      tabs={tabs.filter((tab): tab is Tab => tab !== false)}
    />
  );
}

/** Number, or a dash for zero. */
const Count = ({ children }: { children: number }) =>
  children === 0 ? <span className="zero">–</span> : formatCount(children);

interface PayerNameProps {
  agent: PaymentAgent;
  /** Visits that failed verification as this agent. */
  spoofed: PaymentAgent | undefined;
  project: Project;
  linked: LinkedRange;
}

function PayerName({ agent, spoofed, project, linked }: PayerNameProps) {
  const name = nameAgent(agent);
  return (
    <MarkedName name={name} operator={agent.operator_name}>
      {agent.agent_id === null ? (
        name
      ) : (
        <TextLink {...agentLink(project.id, agent.agent_id, linked)} size="sm">
          {name}
        </TextLink>
      )}
      {spoofed !== undefined && (
        <TextLink
          {...listLink(project.id, linked)(toFilters({ ...filterVisits(spoofed), status: ['402'] }))}
          size="xs"
          c="dimmed"
          display="block"
        >
          {formatCount(spoofed.asked)} more failed verification
        </TextLink>
      )}
    </MarkedName>
  );
}

/** Returns the visits that failed verification as an agent with visits of its own. */
const findSpoofed = (agent: PaymentAgent, { agents }: PaymentsReport): PaymentAgent | undefined =>
  agent.is_spoofed || agent.agent_id === null
    ? undefined
    : agents.find((other) => other.is_spoofed && other.agent_id === agent.agent_id);

const keyOf = (agent: Identity): string => `${agent.agent_id} ${agent.is_spoofed}`;

const filterVisits = ({ agent_id: id, agent_token: token, is_spoofed: isSpoofed }: PaymentAgent): FilterSet => ({
  ...(id !== null && { agent: [agentFilter({ agent_id: id, agent_token: token })] }),
  [isSpoofed ? 'result' : 'not_result']: ['verification_failed'],
});

/** Returns the columns. Reactions that no agent had are omitted. */
function agentColumns({ project, report, linked, timeZone }: PaymentTabsProps): readonly TableColumn<PaymentAgent>[] {
  const link = listLink(project.id, linked);
  const createCountColumn = (
    column: Pick<TableColumn<PaymentAgent>, 'key' | 'label' | 'narrow'>,
    count: (row: PaymentAgent) => number,
  ): TableColumn<PaymentAgent>[] =>
    report.agents.some((row) => count(row) > 0)
      ? [{ ...column, isNumber: true, value: count, cell: (row) => <Count>{count(row)}</Count> }]
      : [];
  return [
    {
      key: 'agent',
      label: 'Agent',
      isHead: true,
      value: nameAgent,
      cell: (row) => <PayerName agent={row} spoofed={findSpoofed(row, report)} project={project} linked={linked} />,
    },
    { key: 'operator', label: 'Operator', isOnlyExported: true, value: (row) => row.operator_name },
    {
      key: 'asked',
      label: 'Asked',
      isNumber: true,
      narrow: { before: 'Asked' },
      value: (row) => row.asked,
      cell: (row) =>
        row.agent_id === null || !row.is_asked_by_status ? (
          formatCount(row.asked)
        ) : (
          <TextLink {...link(toFilters({ ...filterVisits(row), status: ['402'] }))} size="sm">
            {formatCount(row.asked)}
            <span className="unseen"> times, visits by {nameAgent(row)} with status 402</span>
          </TextLink>
        ),
    },
    ...createCountColumn({ key: 'paid', label: 'Paid', narrow: { after: 'paid' } }, (row) =>
      countReactions(row, 'paid'),
    ),
    ...createCountColumn({ key: 'licensed', label: 'Licensed' }, (row) => countReactions(row, 'licensed')),
    ...createCountColumn({ key: 'offered', label: 'Offered' }, (row) => countReactions(row, 'offered')),
    ...createCountColumn({ key: 'failed', label: 'Declined', narrow: { after: 'declined' } }, (row) =>
      countReactions(row, 'failed'),
    ),
    ...createCountColumn(
      { key: 'walked', label: 'Walked away', narrow: { after: 'walked away' } },
      (row) => row.walked_away,
    ),
    ...createCountColumn({ key: 'pending', label: 'Pending' }, countPending),
    ...createCountColumn({ key: 'unasked', label: 'Paid unasked' }, (row) => row.unasked.paid),
    ...createCountColumn({ key: 'unasked_licensed', label: 'Licensed unasked' }, (row) => row.unasked.licensed),
    {
      key: 'amount',
      label: 'Amount paid',
      isNumber: true,
      narrow: { before: 'Paid' },
      value: (row) => formatSums(row.paid_amounts, row.paid_without_amount),
      cell: (row) => formatSums(row.paid_amounts, row.paid_without_amount) || <span className="zero">–</span>,
    },
    {
      key: 'unpaid',
      label: project.list_prices.length > 0 ? 'Not paid, at list price' : 'Not paid, at the price asked',
      isNumber: true,
      narrow: { before: 'Not paid:' },
      value: (row) => formatSums(row.unpaid_amounts, row.unpaid_without_amount),
      cell: (row) => formatSums(row.unpaid_amounts, row.unpaid_without_amount) || <span className="zero">–</span>,
    },
    {
      key: 'actions',
      label: 'Actions',
      cell: (row) =>
        row.agent_id !== null && (
          <AgentActions
            project={project}
            loadFinding={async () =>
              (await import('../../actions/agent-findings.js')).toPaymentFinding(
                { ...row, agent_id: row.agent_id! },
                { range: report, timeZone, visits: link(toFilters(filterVisits(row))) },
              )
            }
            of={nameAgent(row)}
            isCompact
          />
        ),
    },
  ];
}

const returnColumns = (project: Project, rows: readonly Return[]): readonly TableColumn<Return>[] => [
  { key: 'agent', label: 'Walked away', isHead: true, value: (row) => nameAgent(row.agent) },
  { key: 'other', label: 'Visits by', value: nameAgent },
  {
    key: 'visits',
    label: 'Visits',
    isNumber: true,
    value: (row) => row.visits,
  },
  ...(rows.some(({ visit_ids: ids }) => ids.length > 0)
    ? [
        {
          key: 'examples',
          label: 'Examples',
          value: (row: Return) => row.visit_ids.join(' '),
          cell: (row: Return) =>
            row.visit_ids.map((id, index) => (
              <TextLink
                key={id}
                to="/projects/$projectId/realtime"
                params={{ projectId: project.id }}
                search={{ visit: id }}
                size="sm"
                mr={8}
              >
                Visit {index + 1}
              </TextLink>
            )),
        },
      ]
    : []),
];

const PRICE_COLUMNS: readonly TableColumn<Price>[] = [
  { key: 'agent', label: 'Agent', isHead: true, value: (row) => nameAgent(row.agent) },
  { key: 'scheme', label: 'Method', value: (row) => SCHEMES[row.scheme] },
  { key: 'outcome', label: 'Result', value: (row) => OUTCOMES[row.outcome] },
  {
    key: 'price',
    label: 'Price',
    value: (row) => (row.amount === null ? 'Unknown' : formatDecimal(row.amount, row.currency!)),
  },
  { key: 'error', label: 'Error', value: (row) => row.error },
  { key: 'visits', label: 'Visits', isNumber: true, value: (row) => row.visits },
];
