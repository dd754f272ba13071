import { Group, Text } from '@mantine/core';
import type { ToolsReport } from '../../api/tools.js';
import { percentText } from '../../format/change.js';
import { countText } from '../../format/count.js';
import { moneyText } from '../../format/money.js';
import { Section } from '../../ui/section.js';
import { SortedTable } from '../../ui/sorted-table.js';
import type { Column, Sort } from '../../ui/sorting.js';
import { Stat } from '../../ui/stat.js';
import { TextLink } from '../../ui/text-link.js';
import plain from '../../ui/plain-table.module.css';
import { CallerName, callerFilters, callerText, visitsLink } from './caller.js';
import type { TablesProps } from './tool-tables.js';

type Checkouts = ToolsReport['checkouts'][number];
type Buyer = ToolsReport['buyers'][number];

const BY_CHECKOUTS: Sort = { key: 'checkouts', direction: 'descending' };

/** "Ready for payment" */
const stateText = ({ state }: Checkouts): string => {
  const words = state.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const sumOf = (rows: readonly Checkouts[]): number => rows.reduce((sum, { checkouts }) => sum + checkouts, 0);

/** In major units, as spreadsheets expect it. */
const amountOf = ({ total, minor_digits: digits }: Checkouts): number | null =>
  total === null ? null : total / 10 ** digits;

const totalText = ({ total, currency, minor_digits: digits }: Checkouts): string =>
  total === null || currency === null ? '–' : moneyText(total, currency, digits);

const CHECKOUTS: readonly Column<Checkouts>[] = [
  { key: 'protocol', label: 'Protocol', value: ({ protocol }) => protocol.toUpperCase() },
  { key: 'state', label: 'State', value: stateText },
  { key: 'currency', label: 'Currency', value: ({ currency }) => currency },
  { key: 'checkouts', label: 'Checkouts', isNumber: true, value: ({ checkouts }) => checkouts },
  { key: 'total', label: 'Total', isNumber: true, value: amountOf },
];

/** How far checkouts came, and what they come to. */
export function CheckoutsTable({ project, report, range, linked }: TablesProps) {
  const { checkouts } = report;
  const completed = checkouts.filter(({ state }) => state === 'completed');
  const [begun, done] = [sumOf(checkouts), sumOf(completed)];
  const link = visitsLink(project.id, linked);
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
          <SortedTable
            label="Checkouts"
            columns={CHECKOUTS}
            rows={checkouts}
            initial={BY_CHECKOUTS}
            owner={project.name}
            range={range}
          >
            {(row) => (
              <tr key={`${row.protocol} ${row.state} ${row.currency}`}>
                <th scope="row">{row.protocol.toUpperCase()}</th>
                <td>{stateText(row)}</td>
                <td>{row.currency ?? '–'}</td>
                <td className={plain['number']}>
                  <TextLink {...link({ kind: [row.protocol] })} size="sm">
                    {countText(row.checkouts)}
                    <span className="unseen">
                      {' '}
                      {row.protocol.toUpperCase()} checkouts, {stateText(row)}, {row.currency}
                    </span>
                  </TextLink>
                </td>
                <td className={plain['number']}>{totalText(row)}</td>
              </tr>
            )}
          </SortedTable>
        </>
      )}
    </Section>
  );
}

const completedShare = ({ completed, checkouts }: Buyer): number => completed / checkouts;

const BUYERS: readonly Column<Buyer>[] = [
  { key: 'agent', label: 'Agent', value: callerText },
  { key: 'operator', label: 'Operator', isOnlyExported: true, value: (buyer) => buyer.operator_name },
  { key: 'protocol', label: 'Protocol', value: ({ protocol }) => protocol.toUpperCase() },
  { key: 'checkouts', label: 'Checkouts', isNumber: true, value: ({ checkouts }) => checkouts },
  { key: 'completed', label: 'Completed', isNumber: true, value: ({ completed }) => completed },
  { key: 'share', label: 'Completed share', isNumber: true, value: completedShare },
];

/** Which agents buy, and how many of their checkouts they complete. */
export function BuyersTable({ project, report, range, linked }: TablesProps) {
  const link = visitsLink(project.id, linked);
  return (
    <Section title="Checkouts by agent" lead="By the agent that sent the newest visit of each.">
      <SortedTable
        label="Checkouts by agent"
        columns={BUYERS}
        rows={report.buyers}
        initial={BY_CHECKOUTS}
        owner={project.name}
        range={range}
      >
        {(buyer) => (
          <tr key={`${buyer.protocol} ${buyer.agent_id} ${buyer.is_spoofed}`}>
            <th scope="row">
              <CallerName caller={buyer} projectId={project.id} linked={linked} />
            </th>
            <td>{buyer.protocol.toUpperCase()}</td>
            <td className={plain['number']}>
              <TextLink {...link({ kind: [buyer.protocol], ...callerFilters(buyer) })} size="sm">
                {countText(buyer.checkouts)}
                <span className="unseen"> checkouts of {callerText(buyer)}</span>
              </TextLink>
            </td>
            <td className={plain['number']}>{countText(buyer.completed)}</td>
            <td className={plain['number']}>{percentText(completedShare(buyer))}</td>
          </tr>
        )}
      </SortedTable>
    </Section>
  );
}
