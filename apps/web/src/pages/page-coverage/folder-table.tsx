import { Anchor, Group, Text, UnstyledButton } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import type { Coverage, CoverageAgent, CoverageFolder, CoverageGrouping } from '../../api/coverage.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { useQuietRows } from '../../ui/quiet-rows.js';
import { useClock } from '../../ui/use-clock.js';
import { FETCH_AGES, findFetchAge, formatFetchAge, getFetchDays } from './fetch-age.js';
import classes from './folder-table.module.css';
import type { PagesFilter } from './search.js';
import { selectColumnAgents, sortStaleFirst } from './stale-folders.js';

/** Number of rows up to which all are shown. */
const MAX_ROWS = 12;
/** Days since the last fetch after which a folder isn't up to date. */
const STALE_DAYS = 7;

interface FolderTableProps {
  by: CoverageGrouping;
  project: Pick<Project, 'name' | 'path_patterns'>;
  coverage: Coverage;
  agents: readonly CoverageAgent[];
  onOpen: (filter: PagesFilter) => void;
}

const getName = ({ agent_token: token }: CoverageAgent): string => token ?? 'Unknown agent';

/** Folders or path patterns by agent, colored by the age of the last fetch. */
export function FolderTable({ by, project, coverage, agents, onOpen }: FolderTableProps) {
  const now = useClock();
  const { columnAgents, others, hasMore } = selectColumnAgents(agents, coverage.pages);
  const labels =
    by === 'folder' ? { group: 'Folder', rest: 'Other folders' } : { group: 'Pattern', rest: 'No pattern' };
  const getFolderName = (folder: string): string =>
    (by === 'pattern' && project.path_patterns.find(({ pattern }) => pattern === folder)?.name) || folder;
  const toFilter = (folder: string): PagesFilter => (by === 'folder' ? { folder } : { pattern: folder });
  const columns: TableColumn<CoverageFolder>[] = [
    {
      key: 'folder',
      label: labels.group,
      isHead: true,
      value: ({ folder }) => (folder === null ? labels.rest : getFolderName(folder)),
      cell: ({ folder, pages }) =>
        folder === null ? (
          labels.rest
        ) : (
          <>
            <UnstyledButton fz="inherit" td="underline" onClick={() => onOpen(toFilter(folder))}>
              {getFolderName(folder)}
              <span className="unseen"> pages</span>
            </UnstyledButton>
            <Text className={classes['pages']} size="xs" c="dimmed" fw={400} aria-hidden="true">
              {formatCount(pages)} {pages === 1 ? 'page' : 'pages'}
            </Text>
          </>
        ),
    },
    { key: 'pages', label: 'Pages', isNumber: true, narrow: { after: 'pages' }, value: ({ pages }) => pages },
    ...columnAgents.map((agent): TableColumn<CoverageFolder> => {
      const label = getName(agent);
      return {
        key: agent.agent_id!,
        label,
        isNumber: true,
        value: (row) => findCounts(row, agent)?.fetched ?? 0,
        cell: (row) => {
          const { folder, pages } = row;
          const counts = findCounts(row, agent);
          const days = counts && getFetchDays(counts.last_fetch_at, now);
          const props = {
            className: classes['cell'],
            'data-age': getAge(counts, now),
            style: { '--share': formatPercent(counts === undefined ? 0 : counts.fetched / pages) } as CSSProperties,
            title: `Last fetch: ${counts === undefined ? 'never' : formatFetchAge(counts.last_fetch_at, now)}`,
          };
          const content =
            counts === undefined ? (
              <>
                <span className={classes['wide']}>never</span>
                <span className={classes['narrow']} aria-hidden="true">
                  –
                </span>
              </>
            ) : (
              <>
                <span>
                  {counts.fetched === pages ? 'all' : formatCount(counts.fetched)}
                  {counts.fetched < pages && <span className={classes['wide']}> of {formatCount(pages)}</span>}
                </span>
                {days! > 0 && <span className={classes['days']}>{days} d</span>}
              </>
            );
          return folder === null ? (
            <span {...props}>{content}</span>
          ) : (
            <UnstyledButton
              {...props}
              onClick={() => onOpen({ ...toFilter(folder), agent: agent.agent_id!, state: 'never_fetched' })}
            >
              {content}
              <span className="unseen">
                {counts === undefined
                  ? ` fetched by ${label} in ${folder}`
                  : `: pages in ${folder} fetched by ${label}, last ${formatFetchAge(counts.last_fetch_at, now)}`}
              </span>
            </UnstyledButton>
          );
        },
      };
    }),
  ];
  const folders = sortStaleFirst(coverage.folders, columnAgents, now);
  const hasGap = (row: CoverageFolder): boolean =>
    columnAgents.some((agent) => {
      const counts = findCounts(row, agent);
      return (
        counts === undefined || counts.fetched < row.pages || getFetchDays(counts.last_fetch_at, now) >= STALE_DAYS
      );
    });
  const noun = by === 'folder' ? 'folder' : 'pattern';
  const { rows, button } = useQuietRows(folders, hasGap, {
    show: (count) => `Show ${formatCount(count)} ${noun}${count === 1 ? '' : 's'} that every agent fetched`,
    hide: `Hide ${noun}s without gaps`,
  });
  return (
    <>
      <DataTable
        label={by === 'folder' ? 'Folders' : 'Path patterns'}
        owner={project.name}
        columns={columns}
        rows={rows}
        readAll={() => Promise.resolve(folders)}
        unsorted="Largest gaps first"
        rowKey={({ folder }) => folder ?? ''}
        // A button for one or two more rows would be as tall as these rows.
        pageSize={rows.length > MAX_ROWS ? 10 : MAX_ROWS}
        phone="scroll"
        className={classes['matrix']}
        toolbar={
          <Group justify="space-between" gap="xs">
            <Lead help="Each cell shows how many of the pages the agent has fetched and the days since its last fetch if that’s a day or more. The bar fills with the share of pages, and is darker the newer the last fetch is. Select a cell to list the pages it never fetched.">
              Pages each agent has fetched, largest gaps first.
            </Lead>
            <Group gap={6}>
              <Text size="xs" c="dimmed">
                Last fetch
              </Text>
              {[...FETCH_AGES, { age: 'never', label: 'never' }].map(({ age, label }) => (
                <span key={age} className={`${classes['cell']} ${classes['key']}`} data-age={age}>
                  {label}
                </span>
              ))}
            </Group>
          </Group>
        }
      />
      {button}
      <Text size="xs" c="dimmed" mt="sm" component="div">
        {others.map((agent) => (
          <OtherAgent key={agent.agent_id} agent={agent} onOpen={onOpen} />
        ))}
        {hasMore && `These are the ${columnAgents.length} busiest agents. Select a purpose at the top to see others.`}
      </Text>
    </>
  );
}

type FolderCounts = CoverageFolder['agents'][number];

const findCounts = ({ agents }: CoverageFolder, { agent_id: id }: CoverageAgent): FolderCounts | undefined =>
  agents.find((one) => one.agent_id === id);

const getAge = (counts: FolderCounts | undefined, now: number): string =>
  counts === undefined ? 'never' : findFetchAge(counts.last_fetch_at, now).age;

interface OtherAgentProps {
  agent: CoverageAgent;
  onOpen: (filter: PagesFilter) => void;
}

/** Describes an agent that fetched next to nothing from the sitemaps. */
function OtherAgent({ agent, onOpen }: OtherAgentProps): ReactNode {
  const { fetched, unlisted } = agent;
  const others = unlisted > 0 && (
    <Anchor component="button" inherit onClick={() => onOpen({ agent: agent.agent_id!, state: 'unlisted' })}>
      {formatCount(unlisted)} {fetched > 0 && 'other '}
      {unlisted === 1 ? 'URL' : 'URLs'}
    </Anchor>
  );
  return (
    <p style={{ margin: 0 }}>
      {getName(agent)} fetched{' '}
      {fetched === 0 ? (
        <>{others || 'nothing'}, none of them in the sitemap.</>
      ) : (
        <>
          only {formatCount(fetched)} page in the sitemap
          {others && <> and {others}</>}.
        </>
      )}
    </p>
  );
}
