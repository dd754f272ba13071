import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Coverage, CoveredPage, Sitemap, SitemapList } from '#libs/contracts';
import { client, data } from './client.js';
import { REFRESH_OPTIONS } from './statistics.js';

export type { Coverage, CoveredPage, Sitemap, SitemapList };

export type CoverageAgent = Coverage['agents'][number];
export type CoverageFolder = Coverage['folders'][number];

export interface CoveredPagesFilter {
  folder?: string | undefined;
  /** Path filters, which select the pages of a path pattern. */
  path?: string[] | undefined;
  not_path?: string[] | undefined;
  /** Agent ID. */
  agent?: string | undefined;
  state?: 'fetched' | 'never_fetched' | 'unlisted' | undefined;
}

const COUNTING_INTERVAL_MS = 5_000;

/** Groups of pages in the chart. */
export type CoverageGrouping = 'folder' | 'pattern';

export const coverageQuery = (id: string, by: CoverageGrouping = 'folder') =>
  queryOptions({
    queryKey: ['projects', id, 'coverage', 'report', by],
    queryFn: () => data(client.GET('/api/projects/{id}/coverage', { params: { path: { id }, query: { by } } })),
    ...REFRESH_OPTIONS,
    // Fetches are counted soon after the sitemaps were first read.
    refetchInterval: ({ state }) =>
      state.data?.counted_at === null ? COUNTING_INTERVAL_MS : REFRESH_OPTIONS.refetchInterval,
  });

export const coveredPagesQuery = (id: string, { folder, path, not_path: notPath, agent, state }: CoveredPagesFilter) =>
  infiniteQueryOptions({
    queryKey: ['projects', id, 'coverage', 'pages', folder, path, notPath, agent, state],
    queryFn: ({ pageParam }) =>
      data(
        client.GET('/api/projects/{id}/coverage/pages', {
          params: {
            path: { id },
            query: {
              limit: 100,
              ...(folder !== undefined && { folder }),
              ...(path !== undefined && { path }),
              ...(notPath !== undefined && { not_path: notPath }),
              ...(agent !== undefined && { agent }),
              ...(state !== undefined && { state }),
              ...(pageParam !== null && { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
  });

export const sitemapsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'sitemaps'],
    queryFn: () => data(client.GET('/api/projects/{id}/sitemaps', { params: { path: { id } } })),
    // The list is requested with the report and shown below it once that has arrived.
    staleTime: 10_000,
  });

/** Records a sitemap file, which may be compressed with gzip. */
export async function recordSitemap(id: string, file: File) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isCompressed = first === 0x1f && second === 0x8b;
  const body = isCompressed ? { compressed_text: await toBase64(file) } : { text: await file.text() };
  return data(client.POST('/api/projects/{id}/sitemaps', { params: { path: { id } }, body }));
}

async function toBase64(file: File): Promise<string> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.addEventListener('load', resolve);
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(file);
  });
  return (reader.result as string).replace(/^[^,]*,/, '');
}

export const refreshSitemaps = (id: string) =>
  data(client.POST('/api/projects/{id}/sitemaps/refresh', { params: { path: { id } }, body: {} }));
