import type { ToolsReport } from '../../api/tools.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Help } from '../../ui/help.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { formatTotals } from './checkout-totals.js';
import { CallerName, callerFilters, callerText, visitsLink } from './caller.js';
import type { TablesProps } from './tool-tables.js';

type CheckoutSum = ToolsReport['checkouts'][number];
type Buyer = ToolsReport['buyers'][number];

/** Lists the checkouts by state, such as "20 completed (€3,193.40 and $379.60)", most frequent first. */
const listStates = (checkouts: readonly CheckoutSum[]): string[] =>
  [...Map.groupBy(checkouts, ({ state }) => state)]
    .map(([state, sums]) => ({ state, count: sumAll(sums), totals: formatTotals(sums) }))
    .toSorted((one, other) => other.count - one.count)
    .map(
      ({ state, count, totals }) =>
        `${formatCount(count)} ${toStateLabel(state)}${totals.length === 0 ? '' : ` (${totals.join(' and ')})`}`,
    );

const toStateLabel = (state: CheckoutSum['state']): string =>
  state === 'ready_for_complete' ? 'ready to complete' : state.replaceAll('_', ' ');

const sumAll = (checkouts: readonly CheckoutSum[]): number => checkouts.reduce((sum, row) => sum + row.checkouts, 0);
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
    <Section
      title="Checkouts"
      lead={
        <>
          {listStates(report.checkouts).join(', ')}
          <Help about="checkouts">
            Checkouts that started in this range, by latest state. Each is counted once, and for the agent that sent its
            latest visit. Amounts in different currencies aren’t added up.
          </Help>
        </>
      }
    >
      <DataTable
        label="Checkouts by agent"
        phone={['agent checkouts', 'completed share', 'visits visits']}
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
