import { Text } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { Compliance } from '../../api/compliance.js';
import { countText } from '../../format/count.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { Section } from '../../ui/section.js';
import { SortedTable } from '../../ui/sorted-table.js';
import type { Column, Sort } from '../../ui/sorting.js';
import { TextLink } from '../../ui/text-link.js';
import plain from '../../ui/plain-table.module.css';
import { ofAgent, visitsLink } from './visit-links.js';

type File = Compliance['files'][number];

const COLUMNS: readonly Column<File>[] = [
  { key: 'agent', label: 'Agent', value: (file) => file.agent_token ?? file.agent_id },
  { key: 'operator', label: 'Operator', isOnlyExported: true, value: (file) => file.operator_name },
  { key: 'path', label: 'File', value: (file) => file.path },
  { key: 'visits', label: 'Fetches', isNumber: true, value: (file) => file.visits },
  { key: 'served', label: 'Below 400', isNumber: true, value: (file) => file.served },
  { key: 'failed', label: '400 and above', isNumber: true, value: (file) => file.failed },
];
const BY_FETCHES: Sort = { key: 'visits', direction: 'descending' };

export interface FilesTableProps {
  project: Project;
  files: readonly File[];
  range: Range;
  linked: LinkedRange;
}

/** Who fetches the files that are there for agents. */
export function FilesTable({ project, files, range, linked }: FilesTableProps) {
  const link = visitsLink(project.id, linked);
  return (
    <Section
      title="Files for agents"
      lead="Fetches of robots.txt, llms.txt and of what is in /.well-known/, by agent. Spoofed visits are left out."
    >
      {files.length === 0 ? (
        <Text size="sm">No agent fetched such a file in this range.</Text>
      ) : (
        <SortedTable
          label="Files for agents"
          columns={COLUMNS}
          rows={files}
          initial={BY_FETCHES}
          owner={project.name}
          range={range}
        >
          {(file) => (
            <tr key={`${file.agent_id} ${file.path}`}>
              <th scope="row">{file.agent_token ?? 'No longer in the catalog'}</th>
              <td>{file.path}</td>
              <td className={plain['number']}>
                <TextLink
                  {...link(ofAgent(file, { page: [file.path], not_result: ['verification_failed'] }))}
                  size="sm"
                >
                  {countText(file.visits)}
                  <span className="unseen">
                    {' '}
                    fetches of {file.path} by {file.agent_token}
                  </span>
                </TextLink>
              </td>
              <td className={plain['number']}>{countText(file.served)}</td>
              <td className={plain['number']}>{countText(file.failed)}</td>
            </tr>
          )}
        </SortedTable>
      )}
    </Section>
  );
}
