import type { ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import type { Compliance } from '../../api/compliance.js';
import { formatCount } from '../../format/count.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import { forAgent, visitsLink } from './visit-links.js';

type Row = Compliance['paid_crawl'][number];

const OUTCOME_LABELS: Record<Row['outcome'], string> = {
  charged: 'Paid',
  refused: 'Payment declined',
  payment_required: 'Asked to pay (402)',
  offered: 'Offered to pay',
};

interface PaidCrawlTableProps {
  project: Project;
  rows: readonly Row[];
  range: Range;
  linked: LinkedRange;
  lead: ReactNode;
}

/** Agents that offered or were asked to pay for crawling, with the outcomes. */
export function PaidCrawlTable({ project, rows, range, linked, lead }: PaidCrawlTableProps) {
  const link = visitsLink(project.id, linked);
  const columns: readonly TableColumn<Row>[] = [
    {
      key: 'agent',
      label: 'Agent',
      isHead: true,
      value: (row) => row.agent_token ?? row.agent_id,
      cell: (row) => (
        <MarkedName name={row.agent_token ?? ''} operator={row.operator_name}>
          {row.agent_token ?? 'No longer in the catalog'}
        </MarkedName>
      ),
    },
    { key: 'operator', label: 'Operator', isOnlyExported: true, value: (row) => row.operator_name },
    { key: 'outcome', label: 'What happened', value: (row) => OUTCOME_LABELS[row.outcome] },
    { key: 'detail', label: 'Price or error', value: (row) => row.detail },
    {
      key: 'visits',
      label: 'Visits',
      isNumber: true,
      value: (row) => row.visits,
      // Only link this outcome, which corresponds to a status. The others depend on headers, and visits can't be
      // filtered by header.
      cell: (row) =>
        row.outcome === 'payment_required' ? (
          <TextLink {...link(forAgent(row, { status: ['402'], not_result: ['verification_failed'] }))} size="sm">
            {formatCount(row.visits)}
            <span className="unseen"> visits by {row.agent_token} answered 402</span>
          </TextLink>
        ) : (
          formatCount(row.visits)
        ),
    },
  ];
  return (
    <DataTable
      label="Paid crawl"
      toolbar={lead}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.agent_id} ${row.outcome} ${row.detail}`}
      initial="visits"
      owner={project.name}
      range={range}
      empty="No agents were asked to pay in this range."
    />
  );
}
