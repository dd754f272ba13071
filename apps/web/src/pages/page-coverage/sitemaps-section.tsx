import { Button, FileButton, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import { recordSitemap, refreshSitemaps, sitemapsQuery, type Sitemap, type SitemapList } from '../../api/coverage.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';

const getName = ({ url, is_recorded: isRecorded }: Sitemap): string => (isRecorded ? `Uploaded file (${url})` : url);

const COLUMNS: readonly TableColumn<Sitemap>[] = [
  {
    key: 'url',
    label: 'Sitemap',
    isHead: true,
    value: ({ url }) => url,
    cell: getName,
    style: { overflowWrap: 'anywhere' },
  },
  { key: 'entries', label: 'URLs', isNumber: true, narrow: { after: 'URLs' }, value: ({ entries }) => entries },
  {
    key: 'ignored',
    label: 'Ignored',
    isNumber: true,
    narrow: { before: 'Ignored', isSoft: true },
    value: ({ ignored }) => ignored,
    cell: ({ ignored }) => (ignored === 0 ? <span className="zero">–</span> : formatCount(ignored)),
  },
  {
    key: 'fault',
    label: 'Problem',
    value: ({ fault, line }) => (fault === null ? '' : `${fault}${line === null ? '' : ` (line ${line})`}`),
  },
];

/** Lists a project's sitemaps with their problems. */
export function SitemapsSection({ project }: { project: Project }) {
  const query = useQuery(sitemapsQuery(project.id));
  const { sitemaps = [], checked_at: checkedAt = null } = query.data ?? {};
  // A table would consist of a single row without problems.
  const single =
    sitemaps.length === 1 && sitemaps[0]!.fault === null && sitemaps[0]!.ignored === 0 ? sitemaps[0] : undefined;
  return (
    <Section
      id="sitemaps"
      title={single === undefined ? 'Sitemaps' : 'Sitemap'}
      lead={
        <>
          {single !== undefined && (
            <>
              {getName(single)}: {formatCount(single.entries)} {single.entries === 1 ? 'URL' : 'URLs'}
              {checkedAt !== null && ', '}
            </>
          )}
          {checkedAt !== null && (
            <>
              {single === undefined ? 'Last' : 'last'} read <RelativeTime time={checkedAt} />
            </>
          )}
        </>
      }
      actions={<SitemapActions project={project} />}
    >
      {query.isPending && <Loader size="sm" />}
      {query.isError && <Failure title="Couldn't load the sitemaps" error={query.error} />}
      {sitemaps.length > 0 && single === undefined && (
        <DataTable
          label="Sitemaps"
          owner={project.name}
          columns={COLUMNS}
          rows={sitemaps}
          rowKey={({ url }) => url}
          pageSize={10}
          phone={['url entries', 'fault ignored']}
        />
      )}
    </Section>
  );
}

/** Placeholder for projects without pages in sitemaps. */
export function NoSitemaps({ project }: { project: Project }) {
  const { data } = useQuery(sitemapsQuery(project.id));
  const problems = (data?.sitemaps ?? []).filter(({ fault }) => fault !== null);
  return (
    <EmptyState title="No pages in sitemaps">
      <Stack gap="md" align="center">
        <span>
          Add a sitemap to see which of your pages agents have never fetched. Sitemaps listed in robots.txt are read
          automatically.
        </span>
        {problems.map(({ url, fault }) => (
          <Text key={url} size="sm" c="var(--failed)" style={{ overflowWrap: 'anywhere' }}>
            {url} {fault}
          </Text>
        ))}
        <SitemapActions project={project} isPrimary />
      </Stack>
    </EmptyState>
  );
}

/** Buttons that upload a sitemap or read the site's sitemaps. */
function SitemapActions({ project, isPrimary = false }: { project: Project; isPrimary?: boolean }) {
  const queryClient = useQueryClient();
  const onSuccess = async (list: SitemapList): Promise<void> => {
    queryClient.setQueryData(sitemapsQuery(project.id).queryKey, list);
    await queryClient.invalidateQueries({ queryKey: ['projects', project.id, 'coverage'] });
  };
  const reading = useMutation({ mutationFn: () => refreshSitemaps(project.id), onSuccess });
  const recording = useMutation({ mutationFn: (file: File) => recordSitemap(project.id, file), onSuccess });
  if (project.role === 'viewer' || project.is_demo) return null;
  return (
    <Group gap="xs" justify="center">
      <FileButton
        onChange={(file) => file !== null && recording.mutate(file)}
        accept=".xml,.txt,.gz"
        inputProps={{ 'aria-label': 'Sitemap file' }}
      >
        {(props) => (
          <Button size="xs" variant={isPrimary ? 'filled' : 'default'} loading={recording.isPending} {...props}>
            Upload a sitemap
          </Button>
        )}
      </FileButton>
      <Button size="xs" variant="default" loading={reading.isPending} onClick={() => reading.mutate()}>
        Read sitemaps now
      </Button>
      {recording.isError && <Failure title="Couldn't record the sitemap" error={recording.error} />}
      {reading.isError && <Failure title="Couldn't read the sitemaps" error={reading.error} />}
    </Group>
  );
}
