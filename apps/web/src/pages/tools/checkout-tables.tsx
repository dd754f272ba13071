import { Group, Text } from '@mantine/core';
import type { ToolsReport } from '../../api/tools.js';
import { percentText } from '../../format/change.js';
import { countText } from '../../format/count.js';
import { moneyText } from '../../format/money.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
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

const sumOf = (rows: readonly Checkouts[]): number => rows.reduce((sum, { checkouts }) => sum + checkouts, 0);

/** Returns the total in major units, as expected in spreadsheets. */
const amountOf = ({ total, minor_digits: digits }: Checkouts): number | null =>
  total === null ? null : total / 10 ** digits;

const totalText = ({ total, currency, minor_digits: digits }: Checkouts): string =>
  total === null || currency === null ? '–' : moneyText(total, currency, digits);

export function CheckoutsTable({ project, report, range, linked }: TablesProps) {
  const { checkouts } = report;
  const completed = checkouts.filter(({ state }) => state === 'completed');
  const [begun, done] = [sumOf(checkouts), sumOf(completed)];
  const link = visitsLink(project.id, linked);
  const columns: readonly TableColumn<Checkouts>[] = [
    { key: 'protocol', label: 'Protocol', isHead: true, value: ({ protocol }) => protocol.toUpperCase() },
    { key: 'state', label: 'State', value: stateText },
    { key: 'currency', label: 'Currency', value: ({ currency }) => currency, cell: ({ currency }) => currency ?? '–' },
    {
      key: 'checkouts',
      label: 'Checkouts',
      isNumber: true,
      value: (row) => row.checkouts,
      cell: (row) => (
        <TextLink {...link({ kind: [row.protocol] })} size="sm">
          {countText(row.checkouts)}
          <span className="unseen">
            {' '}
            {row.protocol.toUpperCase()} checkouts, {stateText(row)}, {row.currency}
          </span>
        </TextLink>
      ),
    },
    { key: 'total', label: 'Total', isNumber: true, value: amountOf, cell: totalText },
  ];
  return (
    <Section
      title="Checkouts"
      lead="Checkouts that began in this range, by their newest state. Each counts once, however often it was reported; a number leads to all visits of its protocol in this range."
    >
      {begun === 0 ? (
        <Text size="sm">No checkout began in this range.</Text>
      ) : (
        <>
          <Group gap="xl">
            <Stat label="Checkouts" value={begun} />
            <Stat label="Completed" value={done} />
            <Stat label="Completed share" value={percentText(done / begun)} />
          </Group>
          <DataTable
            label="Checkouts"
            columns={columns}
            rows={checkouts}
            rowKey={(row) => `${row.protocol} ${row.state} ${row.currency}`}
            initial="checkouts"
            owner={project.name}
            range={range}
          />
        </>
      )}
    </Section>
  );
}

const completedShare = ({ completed, checkouts }: Buyer): number => completed / checkouts;

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
      value: ({ checkouts }) => checkouts,
      cell: (buyer) => (
        <TextLink {...link({ kind: [buyer.protocol], ...callerFilters(buyer) })} size="sm">
          {countText(buyer.checkouts)}
          <span className="unseen"> checkouts of {callerText(buyer)}</span>
        </TextLink>
      ),
    },
    { key: 'completed', label: 'Completed', isNumber: true, value: ({ completed }) => completed },
    {
      key: 'share',
      label: 'Completed share',
      isNumber: true,
      value: completedShare,
      cell: (buyer) => percentText(completedShare(buyer)),
    },
  ];
  return (
    <Section title="Checkouts by agent" lead="By the agent that sent the newest visit of each.">
      <DataTable
        label="Checkouts by agent"
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
