import {
  CoverageSchema,
  CoveredPageListSchema,
  MAX_COVERAGE_AGENTS,
  MAX_LISTED_PAGES,
  NewSitemapSchema,
  SitemapListSchema,
  SitemapRefreshSchema,
} from '../coverage.schema.js';
import { coveredPageCursor } from '../cursors.js';
import { operation } from './operation.js';
import { isUuid } from '../uuid.js';
import { BODY, cursor, LIMIT, oneOf, parsedText, PROJECT, singleParameter, withDefault } from './parameters.js';
import { UNTIMED_FILTERS } from './timeline-filters.js';

const TAG = 'Coverage';

export const listSitemaps = operation({
  method: 'get',
  path: '/api/projects/{id}/sitemaps',
  id: 'listSitemaps',
  access: 'viewer',
  tag: TAG,
  summary: "List a project's sitemaps and their problems",
  params: { id: PROJECT },
  answer: SitemapListSchema,
  problems: [404],
});

export const recordSitemap = operation({
  method: 'post',
  path: '/api/projects/{id}/sitemaps',
  id: 'recordSitemap',
  access: 'member',
  audit: { change: 'done', subject: 'sitemap' },
  tag: TAG,
  summary: 'Record a sitemap for a host',
  description:
    "Use this for sites that this instance can't reach. It replaces the sitemap that was recorded for the host before. " +
    `Sitemaps can list up to ${MAX_LISTED_PAGES} pages per project.`,
  params: { id: PROJECT },
  body: NewSitemapSchema,
  answer: SitemapListSchema,
  problems: [404, ...BODY],
});

export const refreshSitemaps = operation({
  method: 'post',
  path: '/api/projects/{id}/sitemaps/refresh',
  id: 'refreshSitemaps',
  access: 'member',
  audit: { change: 'done', subject: 'sitemap' },
  tag: TAG,
  summary: "Read the sitemaps of a project's hosts",
  description:
    'Reads the sitemaps in the robots.txt of each host, or `/sitemap.xml` if it lists none. Sitemaps that cannot be read within 20 seconds are read later.',
  params: { id: PROJECT },
  body: SitemapRefreshSchema,
  answer: SitemapListSchema,
  problems: [404, ...BODY],
});

export const getCoverage = operation({
  method: 'get',
  path: '/api/projects/{id}/coverage',
  id: 'getCoverage',
  access: 'viewer',
  tag: TAG,
  summary: "Get the pages in a project's sitemaps that agents have fetched, by agent and folder",
  description: `Counts all visits since the project's first visit, except those that failed verification. The ${MAX_COVERAGE_AGENTS} agents with the most fetches are counted separately.`,
  params: { id: PROJECT },
  query: {
    by: withDefault(
      singleParameter(
        "Groups in `folders`: folders, or the project's `path_patterns`. Each page counts for the first pattern that it matches.",
        oneOf(['folder', 'pattern']),
      ),
      'folder',
    ),
  },
  answer: CoverageSchema,
  problems: [404, 422, 504],
});

export const listCoveredPages = operation({
  method: 'get',
  path: '/api/projects/{id}/coverage/pages',
  id: 'listCoveredPages',
  access: 'viewer',
  tag: TAG,
  summary: "List a project's pages with their fetches",
  params: { id: PROJECT },
  query: {
    folder: singleParameter('First path segment of the pages, such as `/docs/`, or `/` for pages without one'),
    path: UNTIMED_FILTERS.path,
    not_path: UNTIMED_FILTERS.not_path,
    agent: singleParameter(
      'ID of the agent whose fetches are counted. Default: all agents.',
      parsedText('must be an agent ID', (text) => (isUuid(text) ? text.toLowerCase() : null)),
    ),
    state: singleParameter(
      '`fetched` or `never_fetched` for pages in sitemaps, or `unlisted` for fetched pages that no sitemap lists. Default: all pages in sitemaps.',
      oneOf(['fetched', 'never_fetched', 'unlisted']),
    ),
    limit: LIMIT,
    cursor: cursor(coveredPageCursor.read),
  },
  answer: CoveredPageListSchema,
  problems: [404, 422, 504],
});

export const COVERAGE_OPERATIONS = [listSitemaps, recordSitemap, refreshSitemaps, getCoverage, listCoveredPages];
