import type { ToolsReport } from '../../api/tools.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatMoney } from '../../format/money.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { TextLink } from '../../ui/text-link.js';
import { CallerName, callerFilters, callerText, visitsLink } from './caller.js';
import type { TablesProps } from './tool-tables.js';

type Checkouts = ToolsReport['checkouts'][number];
type Buyer = ToolsReport['buyers'][number];

/** Returns a label such as "Ready for payment". */
const stateText = ({ state }: Checkouts): string => {
  const words = state.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns the total in major currency units for spreadsheet exports. */
const toMajorUnits = ({ total, minor_digits: digits }: Checkouts): number | null =>
  total === null ? null : total / 10 ** digits;

const totalText = ({ total, currency, minor_digits: digits }: Checkouts): string =>
  total === null || currency === null ? '–' : formatMoney(total, currency, digits);

export function CheckoutsTable({ project, report, range, linked }: TablesProps) {
  const { checkouts } = report;
  const link = visitsLink(project.id, linked);
  const columns: readonly TableColumn<Checkouts>[] = [
    { key: 'protocol', label: 'Protocol', isHead: true, value: ({ protocol }) => protocol.toUpperCase() },
    { key: 'state', label: 'State', value: stateText },
    { key: 'currency', label: 'Currency', value: ({ currency }) => currency, cell: ({ currency }) => currency ?? '–' },
    {
      key: 'checkouts',
      label: 'Checkouts',
      isNumber: true,
      narrow: { after: 'checkouts' },
      value: (row) => row.checkouts,
      cell: (row) => (
        <TextLink {...link({ kind: [row.protocol] })} size="sm">
          {formatCount(row.checkouts)}
          <span className="unseen">
            {' '}
            {row.protocol.toUpperCase()} checkouts, {stateText(row)}, {row.currency}
          </span>
        </TextLink>
      ),
    },
    { key: 'total', label: 'Total', isNumber: true, value: toMajorUnits, cell: totalText },
  ];
  return (
    <DataTable
      label="Checkouts"
      phone={['protocol checkouts', 'state total']}
      columns={columns}
      rows={checkouts}
      rowKey={(row) => `${row.protocol} ${row.state} ${row.currency}`}
      initial="checkouts"
      owner={project.name}
      range={range}
      toolbar={
        <Lead help="Each checkout is counted once, no matter how often it was reported. Select a number to see all visits that used its protocol.">
          Checkouts started in this range, by latest state.
        </Lead>
      }
      empty="No checkouts started in this range."
    />
  );
}

const completionRate = ({ completed, checkouts }: Buyer): number => completed / checkouts;

export function BuyersTable({ project, report, range, linked }: TablesProps) {
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
    <DataTable
      label="Checkouts by agent"
      phone={['agent checkouts', 'completed share']}
      toolbar={<Lead>Each checkout is attributed to the agent that sent its latest visit.</Lead>}
      columns={columns}
      rows={report.buyers}
      rowKey={(buyer) => `${buyer.protocol} ${buyer.agent_id} ${buyer.is_spoofed}`}
      initial="checkouts"
      owner={project.name}
      range={range}
    />
  );
}
