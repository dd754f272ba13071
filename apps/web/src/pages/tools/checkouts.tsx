import type { ToolsReport } from '../../api/tools.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatMoney } from '../../format/money.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Columns } from '../../ui/columns.js';
import { Figure } from '../../ui/figure.js';
import { Help } from '../../ui/help.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { CallerName, callerFilters, callerText, visitsLink } from './caller.js';
import type { TablesProps } from './tool-tables.js';

type CheckoutSum = ToolsReport['checkouts'][number];
type Buyer = ToolsReport['buyers'][number];

/** Number of checkouts by state, with their totals in each currency. */
function sumStates(checkouts: readonly CheckoutSum[]) {
  return [...Map.groupBy(checkouts, ({ state }) => state)]
    .map(([state, sums]) => ({
      state,
      count: sums.reduce((sum, row) => sum + row.checkouts, 0),
      totals: [...Map.groupBy(sums, ({ currency }) => currency)].flatMap(([currency, rows]) => {
        const total = rows.reduce((sum, row) => sum + (row.total ?? 0), 0);
        return currency === null || total === 0 ? [] : [formatMoney(total, currency, rows[0]!.minor_digits)];
      }),
    }))
    .toSorted((one, other) => other.count - one.count);
}

const toStateLabel = (state: CheckoutSum['state']): string => {
  const text = state === 'ready_for_complete' ? 'ready to complete' : state.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const sumAll = (checkouts: readonly CheckoutSum[]): number => checkouts.reduce((sum, row) => sum + row.checkouts, 0);
const sumCompleted = (checkouts: readonly CheckoutSum[]): number =>
  sumAll(checkouts.filter(({ state }) => state === 'completed'));
const completionRate = ({ completed, checkouts }: Buyer): number => completed / checkouts;

/** Card with the checkouts by state and by agent. */
export function Checkouts({ project, report, range, linked }: TablesProps) {
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
      cell: (buyer) => (
        <TextLink {...link({ kind: [buyer.protocol], ...callerFilters(buyer) })} size="sm">
          {formatCount(buyer.checkouts)}
          <span className="unseen"> checkouts by {callerText(buyer)}</span>
        </TextLink>
      ),
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
  ];
  return (
    <Section
      title="Checkouts"
      lead={
        <>
          {formatCount(sumCompleted(report.checkouts))} of {formatCount(sumAll(report.checkouts))} completed, by latest
          state
          <Help about="checkouts">
            Checkouts that started in this range. Each is counted once, and for the agent that sent its latest visit.
            Amounts in different currencies aren’t added up.
          </Help>
        </>
      }
    >
      <Columns cols={{ base: 2, md: 4 }} gap="sm">
        {sumStates(report.checkouts).map(({ state, count, totals }) => (
          <Figure
            key={state}
            label={toStateLabel(state)}
            value={formatCount(count)}
            what={totals.length === 0 ? undefined : totals.join(' and ')}
          />
        ))}
      </Columns>
      <DataTable
        label="Checkouts by agent"
        phone={['agent checkouts', 'completed share']}
        columns={columns}
        rows={report.buyers}
        rowKey={(buyer) => `${buyer.protocol} ${buyer.agent_id} ${buyer.is_spoofed}`}
        initial="checkouts"
        owner={project.name}
        range={range}
      />
    </Section>
  );
}
