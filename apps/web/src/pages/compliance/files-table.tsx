import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import type { Compliance } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { formatCount } from '../../format/count.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';
import { fileFilters, groupFiles, type FileFetches } from './file-fetches.js';
import { forAgent, visitsLink } from '../../rules/judged-visit-links.js';

/** Number of agents listed per file. */
const MAX_AGENTS = 3;
const NOT_SPOOFED = ['verification_failed'];

interface FilesTableProps {
  project: Project;
  compliance: Compliance;
  range: Range;
  linked: LinkedRange;
  lead: ReactNode;
}

/** Files that are meant for agents, with the agents that fetched them and the answers. */
export function FilesTable({ project, compliance, range, linked, lead }: FilesTableProps) {
  const link = visitsLink(project.id, linked);
  const files = groupFiles(compliance.files, compliance.unknown_files);
  const renderCount = (file: FileFetches, count: number, what: string, set: FilterSet) =>
    count === 0 ? (
      <Zero />
    ) : (
      <TextLink {...link({ ...fileFilters(file.path), not_result: NOT_SPOOFED, ...set })} size="sm">
        {formatCount(count)}
        <span className="unseen">
          {' '}
          {what} {file.path}
        </span>
      </TextLink>
    );
  const countRefused = ({ answers }: FileFetches): number => answers.refused + answers.challenge;
  const columns: readonly TableColumn<FileFetches>[] = [
    {
      key: 'path',
      label: 'File',
      isHead: true,
      value: (file) => file.path,
      cell: (file) => (
        <>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {file.path}
          </Text>
          {file.purpose !== null && (
            <Text size="xs" c="dimmed">
              {file.purpose}
            </Text>
          )}
        </>
      ),
    },
    { key: 'purpose', label: 'Purpose', isOnlyExported: true, value: (file) => file.purpose },
    {
      key: 'visits',
      label: 'Requests',
      isNumber: true,
      value: (file) => file.visits,
      cell: (file) => renderCount(file, file.visits, 'requests for', {}),
      narrow: { after: 'requests' },
    },
    {
      key: 'agents',
      label: 'By',
      isFixed: true,
      value: (file) => namedVisitors(file).join('; '),
      cell: (file) => <Visitors file={file} link={link} />,
    },
    {
      key: 'file',
      label: 'Found',
      isNumber: true,
      value: ({ answers }) => answers.file,
      cell: ({ answers }) => (answers.file === 0 ? <Zero /> : formatCount(answers.file)),
    },
    {
      key: 'html',
      label: 'Got a page',
      isNumber: true,
      value: ({ answers }) => answers.html,
      cell: ({ answers }) => (answers.html === 0 ? <Zero /> : formatCount(answers.html)),
    },
    {
      key: 'not_found',
      label: 'Not found',
      isNumber: true,
      value: ({ answers }) => answers.not_found,
      cell: (file) => renderCount(file, file.answers.not_found, 'requests without', { status: ['404', '410'] }),
    },
    {
      key: 'refused',
      label: 'Refused',
      isNumber: true,
      value: countRefused,
      cell: (file) =>
        renderCount(file, countRefused(file), 'refused requests for', {
          status: ['202', '4xx'],
          not_status: ['404', '410'],
        }),
    },
    {
      key: 'error',
      label: 'Errors',
      isNumber: true,
      value: ({ answers }) => answers.error,
      cell: (file) => renderCount(file, file.answers.error, 'errors for', { status: ['5xx'] }),
    },
    {
      key: 'last',
      label: 'Last request',
      isTime: true,
      value: (file) => file.last_at,
      cell: (file) => <RelativeTime time={file.last_at} />,
      narrow: { isSoft: true },
    },
    {
      key: 'answers',
      label: 'Answers',
      isOnlyNarrow: true,
      cell: describeAnswers,
      narrow: { isSoft: true },
    },
  ];
  return (
    <DataTable
      label="Files for agents"
      toolbar={lead}
      columns={columns}
      rows={files}
      rowKey={(file) => file.path}
      owner={project.name}
      range={range}
      empty="Nobody requested these files in this range."
      phone={['path visits', 'answers last', 'agents agents']}
    />
  );
}

const Zero = () => <span className="zero">–</span>;

const describeAnswers = ({ answers }: FileFetches): string =>
  (
    [
      [answers.file, 'found'],
      [answers.html, 'got a page'],
      [answers.not_found, 'not found'],
      [answers.refused + answers.challenge, 'refused'],
      [answers.error, answers.error === 1 ? 'error' : 'errors'],
    ] as const
  )
    .flatMap(([count, text]) => (count === 0 ? [] : `${formatCount(count)} ${text}`))
    .join(', ');

const namedVisitors = ({ agents, unknownVisits }: FileFetches): string[] => [
  ...agents.map((agent) => `${agent.agent_token ?? agent.agent_id} ${agent.visits}`),
  ...(unknownVisits > 0 ? [`Unknown visitors ${unknownVisits}`] : []),
];

function Visitors({ file, link }: { file: FileFetches; link: ReturnType<typeof visitsLink> }) {
  const { path, agents, unknownVisits } = file;
  const others = agents.length - MAX_AGENTS;
  const entries = [
    ...agents.slice(0, MAX_AGENTS).map((agent) => ({
      name: agent.agent_token ?? 'No longer in the catalog',
      visits: agent.visits,
      set: forAgent(agent, { ...fileFilters(path), not_result: NOT_SPOOFED }),
    })),
    ...(unknownVisits > 0
      ? [
          {
            name: 'Unknown visitors',
            visits: unknownVisits,
            set: { ...fileFilters(path), result: ['unknown_agent'] },
          },
        ]
      : []),
  ];
  return (
    <>
      {entries.map(({ name, visits, set }, index) => (
        <span key={name}>
          {index > 0 && ', '}
          {name}{' '}
          <TextLink {...link(set)} size="sm">
            {formatCount(visits)}
            <span className="unseen">
              {' '}
              requests for {path} by {name}
            </span>
          </TextLink>
        </span>
      ))}
      {others > 0 && ` and ${formatCount(others)} more ${others === 1 ? 'agent' : 'agents'}`}
    </>
  );
}
