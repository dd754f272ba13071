import { Group, Text, UnstyledButton } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { Coverage, CoverageAgent, CoverageFolder, CoverageGrouping } from '../../api/coverage.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { useClock } from '../../ui/use-clock.js';
import { FETCH_AGES, findFetchAge, formatFetchAge } from './fetch-age.js';
import classes from './folder-table.module.css';
import type { PagesFilter } from './search.js';

/** Agents with their own column, most fetches first. */
const MAX_COLUMNS = 8;

interface FolderTableProps {
  by: CoverageGrouping;
  project: Pick<Project, 'name' | 'path_patterns'>;
  coverage: Coverage;
  agents: readonly CoverageAgent[];
  onOpen: (filter: PagesFilter) => void;
}

/** Folders or path patterns by agent, colored by the age of the last fetch. */
export function FolderTable({ by, project, coverage, agents, onOpen }: FolderTableProps) {
  const now = useClock();
  const namedAgents = agents.filter((agent) => agent.agent_id !== null);
  const columnAgents = namedAgents.slice(0, MAX_COLUMNS);
  const findAgent = ({ agents: counts }: CoverageFolder, { agent_id: id }: CoverageAgent) =>
    counts.find((one) => one.agent_id === id);
  const labels =
    by === 'folder' ? { group: 'Folder', rest: 'Other folders' } : { group: 'Pattern', rest: 'No pattern' };
  const getName = (folder: string): string =>
    (by === 'pattern' && project.path_patterns.find(({ pattern }) => pattern === folder)?.name) || folder;
  const toFilter = (folder: string): PagesFilter => (by === 'folder' ? { folder } : { pattern: folder });
  const columns: TableColumn<CoverageFolder>[] = [
    {
      key: 'folder',
      label: labels.group,
      isHead: true,
      value: ({ folder }) => (folder === null ? labels.rest : getName(folder)),
      cell: ({ folder }) =>
        folder === null ? (
          labels.rest
        ) : (
          <UnstyledButton fz="inherit" td="underline" onClick={() => onOpen(toFilter(folder))}>
            {getName(folder)}
            <span className="unseen"> pages</span>
          </UnstyledButton>
        ),
    },
    { key: 'pages', label: 'Pages', isNumber: true, value: ({ pages }) => pages },
    ...columnAgents.map((agent): TableColumn<CoverageFolder> => {
      const label = agent.agent_token ?? 'Unknown agent';
      return {
        key: agent.agent_id!,
        label,
        isNumber: true,
        value: (folder) => findAgent(folder, agent)?.fetched ?? 0,
        cell: (row) => {
          const counts = findAgent(row, agent);
          const lastFetch = counts?.last_fetch_at;
          const content =
            counts === undefined
              ? 'never'
              : `${formatCount(counts.fetched)} · ${formatFetchAge(counts.last_fetch_at, now)}`;
          const age = lastFetch === undefined ? 'never' : findFetchAge(lastFetch, now).age;
          if (row.folder === null) {
            return (
              <span className={classes['cell']} data-age={age}>
                {content}
              </span>
            );
          }
          const { folder } = row;
          return (
            <UnstyledButton
              className={classes['cell']}
              data-age={age}
              onClick={() => onOpen({ ...toFilter(folder), agent: agent.agent_id!, state: 'never_fetched' })}
            >
              {content}
              <span className="unseen">
                {lastFetch === undefined
                  ? ` fetched by ${label} in ${folder}`
                  : `: pages in ${folder} fetched by ${label}, and time since the last fetch`}
              </span>
            </UnstyledButton>
          );
        },
      };
    }),
  ];
  return (
    <>
      <DataTable
        label={by === 'folder' ? 'Folders' : 'Path patterns'}
        owner={project.name}
        columns={columns}
        rows={coverage.folders}
        rowKey={({ folder }) => folder ?? ''}
        pageSize={15}
        phone="scroll"
        toolbar={
          <Group justify="space-between" gap="xs">
            <Lead help="Each cell shows the number of pages that the agent has fetched, and the time since the last fetch. Select a cell to list the pages it never fetched.">
              Pages fetched, and time since the last fetch.
            </Lead>
            <Group gap={6}>
              {[...FETCH_AGES, { age: 'never', label: 'never' }].map(({ age, label }) => (
                <span key={age} className={`${classes['cell']} ${classes['key']}`} data-age={age}>
                  {label}
                </span>
              ))}
            </Group>
          </Group>
        }
      />
      {namedAgents.length > MAX_COLUMNS && (
        <Text size="xs" c="dimmed">
          Showing the {MAX_COLUMNS} busiest agents. Choose a purpose to see others.
        </Text>
      )}
    </>
  );
}
