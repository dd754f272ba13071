import { Button, FileButton, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import { recordSitemap, refreshSitemaps, sitemapsQuery, type Sitemap, type SitemapList } from '../../api/coverage.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';

const COLUMNS: readonly TableColumn<Sitemap>[] = [
  {
    key: 'url',
    label: 'Sitemap',
    isHead: true,
    value: ({ url }) => url,
    cell: ({ url, is_recorded: isRecorded }) => (isRecorded ? `Recorded for ${url}` : url),
    style: { overflowWrap: 'anywhere' },
  },
  { key: 'entries', label: 'URLs', isNumber: true, value: ({ entries }) => entries },
  { key: 'ignored', label: 'Ignored', isNumber: true, value: ({ ignored }) => ignored },
  {
    key: 'fault',
    label: 'Problem',
    value: ({ fault, line }) => (fault === null ? '' : `${fault}${line === null ? '' : ` (line ${line})`}`),
  },
];

/** Lists a project's sitemaps with their problems. */
export function SitemapsSection({ project }: { project: Project }) {
  const query = useQuery(sitemapsQuery(project.id));
  const queryClient = useQueryClient();
  const onSuccess = async (list: SitemapList): Promise<void> => {
    queryClient.setQueryData(sitemapsQuery(project.id).queryKey, list);
    await queryClient.invalidateQueries({ queryKey: ['projects', project.id, 'coverage'] });
  };
  const reading = useMutation({ mutationFn: () => refreshSitemaps(project.id), onSuccess });
  const recording = useMutation({ mutationFn: (file: File) => recordSitemap(project.id, file), onSuccess });
  const { sitemaps = [], checked_at: checkedAt = null } = query.data ?? {};
  return (
    <Section
      id="sitemaps"
      title="Sitemaps"
      lead={
        <>
          Found in robots.txt, or at /sitemap.xml if robots.txt lists none.{' '}
          {checkedAt !== null && (
            <>
              Last read <RelativeTime time={checkedAt} />.
            </>
          )}
        </>
      }
    >
      {query.isPending && <Loader size="sm" />}
      {query.isError && <Failure title="Couldn't load the sitemaps" error={query.error} />}
      {query.isSuccess && sitemaps.length === 0 && <Text size="sm">No sitemaps have been read yet.</Text>}
      {sitemaps.length > 0 && (
        <DataTable
          label="Sitemaps"
          owner={project.name}
          columns={COLUMNS}
          rows={sitemaps}
          rowKey={({ url }) => url}
          pageSize={10}
        />
      )}
      {project.role !== 'viewer' && !project.is_demo && (
        <Group>
          <Button size="xs" variant="default" loading={reading.isPending} onClick={() => reading.mutate()}>
            Read sitemaps now
          </Button>
          <FileButton
            onChange={(file) => file !== null && recording.mutate(file)}
            accept=".xml,.txt,.gz"
            inputProps={{ 'aria-label': 'Sitemap file' }}
          >
            {(props) => (
              <Button size="xs" variant="default" loading={recording.isPending} {...props}>
                Upload a sitemap
              </Button>
            )}
          </FileButton>
          {recording.isError && <Failure title="Couldn't record the sitemap" error={recording.error} />}
          {reading.isError && <Failure title="Couldn't read the sitemaps" error={reading.error} />}
        </Group>
      )}
    </Section>
  );
}
