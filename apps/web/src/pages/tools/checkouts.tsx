import { capitalize } from '#libs/agents/vocabulary';
import type { ToolsReport } from '../../api/tools.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { TabbedCard } from '../../ui/tabbed-card.js';
import { TextLink } from '../../ui/text-link.js';
import { formatTotals, getMajorTotal } from './checkout-totals.js';
import { CallerName, callerFilters, callerText, visitsLink } from './caller.js';
import type { TablesProps } from './tool-tables.js';

type CheckoutSum = ToolsReport['checkouts'][number];
type Buyer = ToolsReport['buyers'][number];

/** Checkouts with the same state. */
interface StateSum {
  state: CheckoutSum['state'];
  sums: readonly CheckoutSum[];
}

const groupByState = (checkouts: readonly CheckoutSum[]): StateSum[] =>
  [...Map.groupBy(checkouts, ({ state }) => state)].map(([state, sums]) => ({ state, sums }));

const toStateLabel = (state: CheckoutSum['state']): string =>
  state === 'ready_for_complete' ? 'Ready to complete' : capitalize(state.replaceAll('_', ' '));

const sumAll = (checkouts: readonly CheckoutSum[]): number => checkouts.reduce((sum, row) => sum + row.checkouts, 0);
const completionRate = ({ completed, checkouts }: Buyer): number => completed / checkouts;

/** Returns the lines of a row on phones: the amounts, with the link next to the first one. */
const toPhoneLines = ([first, ...others]: readonly string[]): string[] =>
  first === undefined ? ['visit visit'] : [`${first} visit`, ...others.map((currency) => `${currency} ${currency}`)];

/** Card with the checkouts by state and by agent. */
export function Checkouts(props: TablesProps) {
  return (
    <TabbedCard
      label="Checkouts"
      tabs={[
        {
          key: 'states',
          label: 'Checkouts',
          count: formatCount(sumAll(props.report.checkouts)),
          content: <StateTable {...props} />,
        },
        { key: 'agents', label: 'By agent', content: <BuyerTable {...props} /> },
      ]}
    />
  );
}

function StateTable({ project, report, range }: TablesProps) {
  const currencies = [...new Set(report.checkouts.flatMap(({ currency }) => currency ?? []))].toSorted();
  const columns: readonly TableColumn<StateSum>[] = [
    { key: 'state', label: 'State', isHead: true, value: ({ state }) => toStateLabel(state) },
    {
      key: 'checkouts',
      label: 'Checkouts',
      isNumber: true,
      narrow: { before: 'Checkouts', isSoft: true },
      value: ({ sums }) => sumAll(sums),
    },
    ...currencies.map((currency): TableColumn<StateSum> => {
      const select = ({ sums }: StateSum) => sums.filter((row) => row.currency === currency);
      return {
        key: currency,
        label: `Worth in ${currency}`,
        isNumber: true,
        value: (row) => getMajorTotal(select(row)),
        cell: (row) => formatTotals(select(row))[0] ?? <span className="zero">–</span>,
      };
    }),
    {
      key: 'visit',
      label: 'Example',
      cell: ({ state, sums }) => {
        const visit = sums.find(({ last_visit_id: id }) => id !== null)?.last_visit_id;
        return (
          visit != null && (
            <TextLink to="/projects/$projectId/visits" params={{ projectId: project.id }} search={{ visit }} size="sm">
              Open visit
              <span className="unseen">: {toStateLabel(state)}</span>
            </TextLink>
          )
        );
      },
    },
  ];
  return (
    <DataTable
      label="Checkouts by state"
      phone={['state checkouts', ...toPhoneLines(currencies)]}
      toolbar={
        <Lead help="Each checkout is counted once, in the range in which it started. Amounts are in the currencies that the checkouts reported, and aren’t converted.">
          Checkouts that started in this range, by latest state.
        </Lead>
      }
      columns={columns}
      rows={groupByState(report.checkouts)}
      rowKey={({ state }) => state}
      initial="checkouts"
      owner={project.name}
      range={range}
      empty="No checkouts started in this range."
    />
  );
}

function BuyerTable({ project, report, range, linked }: TablesProps) {
  const link = visitsLink(project.id, linked);
  const columns: readonly TableColumn<Buyer>[] = [
    {
      key: 'agent',
      label: 'Agent',
      isHead: true,
      value: callerText,
      cell: (buyer) => <CallerName caller={buyer} projectId={project.id} linked={linked} />,
    },
    { key: 'operator', label: 'Operator', isOnlyExported: true, value: (buyer) => buyer.operator_name },
    { key: 'protocol', label: 'Protocol', value: ({ protocol }) => protocol.toUpperCase() },
    {
      key: 'checkouts',
      label: 'Checkouts',
      isNumber: true,
      narrow: { after: 'checkouts' },
      value: ({ checkouts }) => checkouts,
    },
    {
      key: 'completed',
      label: 'Completed',
      isNumber: true,
      narrow: { after: 'completed', isSoft: true },
      value: ({ completed }) => completed,
    },
    {
      key: 'share',
      label: 'Completion rate',
      isNumber: true,
      narrow: { isSoft: true },
      value: completionRate,
      cell: (buyer) => formatPercent(completionRate(buyer)),
    },
    {
      key: 'visits',
      label: 'Visits',
      cell: (buyer) => (
        <TextLink {...link({ kind: [buyer.protocol], ...callerFilters(buyer) })} size="sm">
          Show visits
          <span className="unseen"> for checkouts by {callerText(buyer)}</span>
        </TextLink>
      ),
    },
  ];
  return (
    <DataTable
      label="Checkouts by agent"
      toolbar={<Lead>Each checkout counts for the agent that sent its latest visit.</Lead>}
      empty="No checkouts started in this range."
      phone={['agent checkouts', 'completed share', 'visits visits']}
      columns={columns}
      rows={report.buyers}
      rowKey={(buyer) => `${buyer.protocol} ${buyer.agent_id} ${buyer.is_spoofed}`}
      initial="checkouts"
      owner={project.name}
      range={range}
    />
  );
}
