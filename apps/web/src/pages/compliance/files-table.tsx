import type { Project } from '../../api/client.js';
import type { Compliance } from '../../api/compliance.js';
import { formatCount } from '../../format/count.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { forAgent, visitsLink } from './visit-links.js';

type AgentFile = Compliance['files'][number];

interface FilesTableProps {
  project: Project;
  files: readonly AgentFile[];
  range: Range;
  linked: LinkedRange;
}

export function FilesTable({ project, files, range, linked }: FilesTableProps) {
  const link = visitsLink(project.id, linked);
  const columns: readonly TableColumn<AgentFile>[] = [
    {
      key: 'agent',
      label: 'Agent',
      isHead: true,
      value: (file) => file.agent_token ?? file.agent_id,
      cell: (file) => file.agent_token ?? 'No longer in the catalog',
    },
    { key: 'operator', label: 'Operator', isOnlyExported: true, value: (file) => file.operator_name },
    { key: 'path', label: 'File', value: (file) => file.path },
    {
      key: 'visits',
      label: 'Fetches',
      isNumber: true,
      value: (file) => file.visits,
      cell: (file) => (
        <TextLink {...link(forAgent(file, { page: [file.path], not_result: ['verification_failed'] }))} size="sm">
          {formatCount(file.visits)}
          <span className="unseen">
            {' '}
            fetches of {file.path} by {file.agent_token}
          </span>
        </TextLink>
      ),
    },
    { key: 'served', label: 'Below 400', isNumber: true, value: (file) => file.served },
    { key: 'failed', label: '400 and above', isNumber: true, value: (file) => file.failed },
  ];
  return (
    <Section
      title="Files for agents"
      lead="Fetches of robots.txt, llms.txt and files in /.well-known/, by agent. Excludes spoofed visits."
    >
      <DataTable
        label="Files for agents"
        columns={columns}
        rows={files}
        rowKey={(file) => `${file.agent_id} ${file.path}`}
        initial="visits"
        owner={project.name}
        range={range}
        empty="No agents fetched these files in this range."
      />
    </Section>
  );
}
