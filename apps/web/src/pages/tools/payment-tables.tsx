import type { ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import type { PaymentAgent, PaymentsReport, PaymentSum } from '../../api/payments.js';
import { formatCount } from '../../format/count.js';
import { formatDecimal } from '../../format/money.js';
import { agentFilter, agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { toFilters } from '../../filters/visit-filters.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { TabbedCard, type CardTab } from '../../ui/tabbed-card.js';
import { TextLink } from '../../ui/text-link.js';

interface PaymentTablesProps {
  project: Project;
  report: PaymentsReport;
  range: Range;
  linked: LinkedRange;
}

type Price = PaymentAgent['prices'][number] & { agent: PaymentAgent };
type Return = PaymentAgent['returns'][number] & { agent: PaymentAgent };

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

type Identity = Pick<PaymentAgent, 'agent_id' | 'agent_token' | 'is_spoofed'>;

const nameAgent = ({ agent_id: id, agent_token: token, is_spoofed: isSpoofed }: Identity): string =>
  (token ?? (id === null ? 'Unknown visitors' : 'No longer in the catalog')) +
  (isSpoofed ? ' (failed verification)' : '');

const formatSums = (sums: readonly PaymentSum[], withoutAmount: number): string =>
  [
    ...sums.map(({ currency, amount }) => formatDecimal(amount, currency)),
    ...(withoutAmount > 0 ? [`${formatCount(withoutAmount)} without a price`] : []),
  ].join(', ');

/** Payments by agent. Agents that act for people are listed separately. */
export function PaymentTables({ project, report, range, linked }: PaymentTablesProps) {
  const forUsers = report.agents.filter((agent) => agent.is_user_triggered);
  const others = report.agents.filter((agent) => !agent.is_user_triggered);
  const returns = report.agents.flatMap((agent) => agent.returns.map((row): Return => ({ ...row, agent })));
  const prices = report.agents.flatMap((agent) => agent.prices.map((row): Price => ({ ...row, agent })));
  const shared = { owner: project.name, range };
  const columns = agentColumns(project, linked);
  const renderAgents = (label: string, rows: readonly PaymentAgent[], lead: ReactNode) => (
    <DataTable
      label={label}
      phone={['agent asked', 'paid amount', 'walked unpaid']}
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      initial="asked"
      {...shared}
      toolbar={lead}
      empty="No crawlers were asked to pay in this range."
    />
  );
  const tabs: readonly (CardTab | false)[] = [
    {
      key: 'agents',
      label: 'Payments',
      content: renderAgents(
        'Payments',
        others,
        <Lead
          help={
            <>
              An agent walked away if it made no attempt to pay for the same URL within {report.window_minutes} minutes.
              Currencies are never added up. Agent Traffic doesn’t settle payments.
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
      label: 'For people’s questions',
      content: renderAgents(
        'Payments for people’s questions',
        forUsers,
        <Lead>These agents fetch pages on behalf of users, so a price charges for a person’s question.</Lead>,
      ),
    },
    returns.length > 0 && {
      key: 'returns',
      label: 'Under another identity',
      content: (
        <DataTable
          label="Visits under another identity"
          columns={returnColumns(project)}
          rows={returns}
          rowKey={(row) => `${keyOf(row.agent)} ${row.agent_id} ${row.is_spoofed}`}
          initial="address"
          {...shared}
          toolbar={
            <Lead
              help={`From the same address or network (/24 for IPv4, /48 for IPv6), up to ${report.window_minutes} minutes later. Several visitors can share a network.`}
            >
              Visits from the same place after an agent walked away.
            </Lead>
          }
          empty=""
        />
      ),
    },
    {
      key: 'prices',
      label: 'Prices and results',
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
          empty=""
        />
      ),
    },
  ];
  return (
    <TabbedCard
      id="payments"
      label="Paid crawling"
      param="payments"
      tabs={tabs.filter((tab): tab is CardTab => tab !== false)}
    />
  );
}

/** Number, or a dash for zero. */
const Count = ({ children }: { children: number }) =>
  children === 0 ? <span className="zero">–</span> : formatCount(children);

function PayerName({ agent, project, linked }: { agent: PaymentAgent; project: Project; linked: LinkedRange }) {
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
    </MarkedName>
  );
}

const keyOf = (agent: Identity): string => `${agent.agent_id} ${agent.is_spoofed}`;

function agentColumns(project: Project, linked: LinkedRange): readonly TableColumn<PaymentAgent>[] {
  const link = listLink(project.id, linked);
  return [
    {
      key: 'agent',
      label: 'Agent',
      isHead: true,
      value: nameAgent,
      cell: (row) => <PayerName agent={row} project={project} linked={linked} />,
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
          <TextLink
            {...link(
              toFilters({
                agent: [agentFilter({ ...row, agent_id: row.agent_id })],
                status: ['402'],
                [row.is_spoofed ? 'result' : 'not_result']: ['verification_failed'],
              }),
            )}
            size="sm"
          >
            {formatCount(row.asked)}
            <span className="unseen"> times, visits by {nameAgent(row)} with status 402</span>
          </TextLink>
        ),
    },
    {
      key: 'paid',
      label: 'Paid',
      isNumber: true,
      narrow: { after: 'paid' },
      value: (row) => row.paid,
      cell: (row) => <Count>{row.paid}</Count>,
    },
    {
      key: 'licensed',
      label: 'Licensed',
      isNumber: true,
      value: (row) => row.licensed,
      cell: (row) => <Count>{row.licensed}</Count>,
    },
    {
      key: 'offered',
      label: 'Offered',
      isNumber: true,
      value: (row) => row.offered,
      cell: (row) => <Count>{row.offered}</Count>,
    },
    {
      key: 'failed',
      label: 'Declined',
      isNumber: true,
      value: (row) => row.failed,
      cell: (row) => <Count>{row.failed}</Count>,
    },
    {
      key: 'walked',
      label: 'Walked away',
      isNumber: true,
      narrow: { after: 'walked away' },
      value: (row) => row.walked_away,
      cell: (row) => <Count>{row.walked_away}</Count>,
    },
    {
      key: 'amount',
      label: 'Amount paid',
      isNumber: true,
      narrow: { before: 'Paid' },
      value: (row) => formatSums(row.paid_amounts, row.paid_without_amount),
    },
    {
      key: 'unpaid',
      label: 'Unpaid at list price',
      isNumber: true,
      narrow: { before: 'Unpaid' },
      value: (row) => formatSums(row.unpaid_amounts, row.unpaid_without_amount),
    },
  ];
}

const returnColumns = (project: Project): readonly TableColumn<Return>[] => [
  { key: 'agent', label: 'Walked away', isHead: true, value: (row) => nameAgent(row.agent) },
  { key: 'other', label: 'Visits by', value: nameAgent },
  { key: 'address', label: 'Same address', isNumber: true, value: (row) => row.address_visits },
  { key: 'network', label: 'Same network', isNumber: true, value: (row) => row.network_visits },
  {
    key: 'visits',
    label: 'Examples',
    value: (row) => row.visit_ids.join(' '),
    cell: (row) =>
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
];

const PRICE_COLUMNS: readonly TableColumn<Price>[] = [
  { key: 'agent', label: 'Agent', isHead: true, value: (row) => nameAgent(row.agent) },
  { key: 'scheme', label: 'Dialect', value: (row) => SCHEMES[row.scheme] },
  { key: 'outcome', label: 'Result', value: (row) => OUTCOMES[row.outcome] },
  {
    key: 'price',
    label: 'Price',
    value: (row) => (row.amount === null ? 'Unknown' : formatDecimal(row.amount, row.currency!)),
  },
  { key: 'error', label: 'Error', value: (row) => row.error },
  { key: 'visits', label: 'Visits', isNumber: true, value: (row) => row.visits },
];
