import type { Project } from '../../api/client.js';
import type { Compliance } from '../../api/compliance.js';
import { countText } from '../../format/count.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { ofAgent, visitsLink } from './visit-links.js';

type Row = Compliance['paid_crawl'][number];

const OUTCOMES: Record<Row['outcome'], string> = {
  charged: 'Paid',
  refused: 'Payment refused',
  payment_required: 'Asked to pay (402)',
  offered: 'Offered to pay',
};

interface PaidCrawlTableProps {
  project: Project;
  rows: readonly Row[];
  range: Range;
  linked: LinkedRange;
}

/** Agents that were offered or asked to pay for crawling, and the outcomes. */
export function PaidCrawlTable({ project, rows, range, linked }: PaidCrawlTableProps) {
  const link = visitsLink(project.id, linked);
  const columns: readonly TableColumn<Row>[] = [
    {
      key: 'agent',
      label: 'Agent',
      isHead: true,
      value: (row) => row.agent_token ?? row.agent_id,
      cell: (row) => row.agent_token ?? 'No longer in the catalog',
    },
    { key: 'operator', label: 'Operator', isOnlyExported: true, value: (row) => row.operator_name },
    { key: 'outcome', label: 'What happened', value: (row) => OUTCOMES[row.outcome] },
    { key: 'detail', label: 'Price or error', value: (row) => row.detail },
    {
      key: 'visits',
      label: 'Visits',
      isNumber: true,
      value: (row) => row.visits,
      // The other outcomes come from headers, which can't be filtered by.
      cell: (row) =>
        row.outcome === 'payment_required' ? (
          <TextLink {...link(ofAgent(row, { status: ['402'], not_result: ['verification_failed'] }))} size="sm">
            {countText(row.visits)}
            <span className="unseen"> visits of {row.agent_token} answered 402</span>
          </TextLink>
        ) : (
          countText(row.visits)
        ),
    },
  ];
  return (
    <Section
      title="Paid crawl"
      lead="Answers with status 402, and with the crawler-… headers of pay per crawl, as far as visits are reported with their response headers."
    >
      <DataTable
        label="Paid crawl"
        columns={columns}
        rows={rows}
        rowKey={(row) => `${row.agent_id} ${row.outcome} ${row.detail}`}
        initial="visits"
        owner={project.name}
        range={range}
        empty="No agent was asked to pay in this range."
      />
    </Section>
  );
}
