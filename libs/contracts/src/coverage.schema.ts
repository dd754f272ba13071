import { Type, type Static } from 'typebox';
import { SingleLine, StoredText } from './text.schema.js';

/** Maximum number of pages per project that sitemaps can list. */
export const MAX_LISTED_PAGES = 50_000;
/** Maximum number of pages per project that agents fetched although no sitemap lists them. */
export const MAX_UNLISTED_PAGES = 20_000;
/** Maximum number of agents per project whose fetches are counted separately. */
export const MAX_COVERAGE_AGENTS = 20;
/** Maximum number of folders in a coverage report. Pages in other folders are combined. */
export const MAX_COVERAGE_FOLDERS = 50;
/** Maximum length of a recorded sitemap, in characters. */
const MAX_RECORDED_SITEMAP_LENGTH = 4_000_000;

const Time = (description: string) => Type.String({ format: 'date-time', description });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });
const NullableTime = (description: string) => nullable<string>('string', { format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const SitemapSchema = Type.Object(
  {
    url: Type.String({ description: 'URL, or the host of a recorded sitemap' }),
    is_recorded: Type.Boolean({ description: 'Whether the sitemap was recorded through the API rather than fetched' }),
    checked_at: Time('Time of the last read'),
    is_index: Type.Boolean({ description: 'Whether it lists other sitemaps' }),
    entries: Count('Number of URLs in the sitemap'),
    ignored: Count("Number of URLs that are not on the project's hosts, or over a limit"),
    fault: nullable<string>('string', { description: 'Problem with the sitemap. Null if there is none.' }),
    line: nullable<number>('integer', { minimum: 1, description: 'Line of the problem. Null if unknown.' }),
  },
  { $id: 'Sitemap', description: 'Sitemap of a project, as of the last read' },
);

export const SitemapListSchema = Type.Object(
  {
    sitemaps: Type.Array(SitemapSchema, { description: 'Sitemaps, sorted by URL' }),
    pages: Count('Number of different pages that the sitemaps list'),
    checked_at: NullableTime('Time of the last read. Null before the first one.'),
  },
  { $id: 'SitemapList' },
);

export const SitemapRefreshSchema = Type.Object({}, { $id: 'SitemapRefresh', additionalProperties: false });

export const NewSitemapSchema = Type.Object(
  {
    host: Type.Optional(
      SingleLine({
        minLength: 1,
        maxLength: 253,
        description: "One of the project's hosts. Defaults to the first one.",
      }),
    ),
    text: Type.Optional(
      StoredText({
        maxLength: MAX_RECORDED_SITEMAP_LENGTH,
        description: 'Sitemap as XML or with one URL per line. An empty text removes the recorded sitemap.',
      }),
    ),
    compressed_text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_RECORDED_SITEMAP_LENGTH,
        description: 'Sitemap compressed with gzip, in Base64. Use it instead of `text`.',
      }),
    ),
  },
  { $id: 'NewSitemap', additionalProperties: false, description: 'Requires either `text` or `compressed_text`' },
);

const Purpose = Type.Unsafe<'training' | 'search' | 'user' | 'other'>({
  type: 'string',
  enum: ['training', 'search', 'user', 'other'],
});

const fetchCounts = {
  fetches: Count('Number of fetches'),
  redirects: Count('Fetches with a 3xx status, except 304'),
  client_errors: Count('Fetches with a 4xx status'),
  server_errors: Count('Fetches with a 5xx status'),
  with_query: Count('Fetches with a query in the path'),
  repeats: nullable<number>('integer', {
    minimum: 0,
    description:
      'Fetches of pages that the same agent had already fetched on the same UTC day, at the same or another URL. Only includes agents and pages that are counted separately. Null if there are none.',
  }),
};

export const CoverageSchema = Type.Object(
  {
    pages: Count('Number of pages that sitemaps list'),
    sitemaps_checked_at: NullableTime('Time at which sitemaps were last read. Null before the first read.'),
    counted_at: NullableTime('Time up to which stored visits are counted. Null before the first count.'),
    last_visit_at: NullableTime('Time of the last visit of any visitor. Null without visits.'),
    days_without_data: Type.Array(Type.String({ format: 'date' }), {
      description:
        'UTC days without any visits among the last 30 days, starting with the first day with visits. Agents may have fetched pages on these days.',
    }),
    pages_without_data: Count('Number of listed pages that were added after the last visit'),
    agents: Type.Array(
      Type.Object({
        agent_id: nullable<string>('string', { format: 'uuid', description: 'Agent ID. Null for all other agents.' }),
        agent_token: nullable<string>('string'),
        agent_type_name: nullable<string>('string'),
        operator_name: nullable<string>('string'),
        purpose: Purpose,
        fetched: Count('Number of listed pages that the agent has fetched'),
        unlisted: Count('Number of fetched pages that no sitemap lists'),
        ...fetchCounts,
        listed_redirects: Count('Fetches of listed pages with a 3xx status, except 304'),
        listed_errors: Count('Fetches of listed pages with a 4xx or 5xx status'),
        last_fetch_at: NullableTime('Time of the last fetch of any page'),
        days_to_first_fetch: nullable<number>('number', {
          description:
            'Average number of days between the time a page was first seen in a sitemap and its first fetch. Only includes pages added after the first read of the sitemaps. Null if the agent fetched none of them.',
        }),
      }),
      { description: 'Agents, most fetches first' },
    ),
    purposes: Type.Array(
      Type.Object({
        purpose: Purpose,
        fetched: Count('Number of listed pages that any of the agents has fetched'),
        fetched_last_7_days: Count('Number of listed pages that any of the agents has fetched in the last 7 days'),
        fetched_7_days_ago: Count('Number of listed pages that any of the agents had fetched by 7 days ago'),
        unlisted: Count('Number of pages that any of the agents has fetched although no sitemap lists them'),
      }),
      { description: 'Purposes of the agents. Pages that several agents fetched count once.' },
    ),
    folders: Type.Array(
      Type.Object({
        folder: nullable<string>('string', {
          description:
            'First path segment, such as `/docs/`, or path pattern, depending on `by`. `/` contains pages without a segment. Null for all other pages.',
        }),
        pages: Count('Number of listed pages'),
        agents: Type.Array(
          Type.Object({
            agent_id: nullable<string>('string', { format: 'uuid', description: 'Null for all other agents.' }),
            fetched: Count('Number of listed pages that the agent has fetched'),
            last_fetch_at: Time('Time of the last fetch of a listed page'),
          }),
          { description: 'Agents that fetched any of the pages' },
        ),
      }),
      { description: 'Folders, most pages first' },
    ),
  },
  { $id: 'Coverage', description: "Pages in a project's sitemaps, and the agents that have fetched them" },
);

const CoveredPageSchema = Type.Object(
  {
    page: Type.String({
      description:
        'Page: path without the query, `.md`, `.html`, `/index.md`, `/index.html` and slash at the end, up to 500 characters. Empty for all unlisted pages over the limit.',
    }),
    is_listed: Type.Boolean({ description: 'Whether a sitemap lists the page' }),
    first_seen_at: NullableTime('Time at which a sitemap first listed the page'),
    last_modified: NullableTime('Modification date in the sitemap'),
    first_fetch_at: NullableTime('Time of the first fetch'),
    last_fetch_at: NullableTime('Time of the last fetch'),
    ...fetchCounts,
  },
  { $id: 'CoveredPage', description: 'Page with the fetches of all agents, or of one agent' },
);

export const CoveredPageListSchema = Type.Object(
  {
    pages: Type.Array(CoveredPageSchema, { description: 'Pages, sorted by path' }),
    next_cursor: nullable<string>('string', { description: 'Cursor for the next page. Null on the last page.' }),
  },
  { $id: 'CoveredPageList' },
);

export type Sitemap = Static<typeof SitemapSchema>;
export type NewSitemap = Static<typeof NewSitemapSchema>;
export type SitemapList = Static<typeof SitemapListSchema>;
export type Coverage = Static<typeof CoverageSchema>;
export type CoveredPage = Static<typeof CoveredPageSchema>;
export type CoveredPageList = Static<typeof CoveredPageListSchema>;
